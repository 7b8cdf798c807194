package testscripts

import (
	"os/exec"
	"strings"
	"testing"
)

// TestLightProgram checks that lecode links nothing of what makes lecode-agent start slowly (design section 1).
func TestLightProgram(t *testing.T) {
	heavy := []string{"github.com/openai/", "github.com/anthropics/", "charm.land/", "github.com/modelcontextprotocol/",
		"github.com/santhosh-tekuri/", "github.com/tiktoken-go/", module + "plumbing/provider/network"}
	out, err := exec.Command("go", "list", "-deps", "../cmd/lecode").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	if !strings.Contains(string(out), module+"plumbing/session") {
		t.Fatal("go list names no package of lecode")
	}
	for line := range strings.Lines(string(out)) {
		for _, h := range heavy {
			if strings.HasPrefix(line, h) {
				t.Errorf("lecode links %s", strings.TrimSpace(line))
			}
		}
	}
}
