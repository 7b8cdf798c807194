package catalog

import "testing"

// TestCatalog: one ID differs from provider to provider, and no price is 0.
func TestCatalog(t *testing.T) {
	list := All()
	if len(list) < 1000 {
		t.Fatalf("%d models", len(list))
	}
	unknown := 0
	byID := map[string]map[int64]bool{}
	for _, m := range list {
		if len(byID) < 20 { // reading the list is slow
			found, known := Find(m.Provider, m.ID)
			if !known || found.ContextWindow != m.Limits.ContextWindow || found.MaxOutput != m.Limits.MaxOutput {
				t.Errorf("Find(%s, %s) = %+v, %v", m.Provider, m.ID, found, known)
			}
		}
		if m.Limits.ContextWindow <= 0 || !m.Limits.Known || m.Provider == "" || m.ID == "" {
			t.Errorf("%+v", m)
		}
		if p := m.Limits.Prices.Input; p == nil {
			unknown++
		} else if *p <= 0 {
			t.Errorf("%s/%s costs %v", m.Provider, m.ID, *p)
		}
		if byID[m.ID] == nil {
			byID[m.ID] = map[int64]bool{}
		}
		byID[m.ID][m.Limits.MaxOutput] = true
	}
	if unknown == 0 {
		t.Error("no model of unknown price: free ones count as known")
	}
	if len(byID["gpt-4o"]) < 2 {
		t.Errorf("gpt-4o has one cap everywhere: %v", byID["gpt-4o"])
	}
	for _, no := range [][2]string{{"openai", "z-ai/glm-5.3-flash"}, {"", "gpt-4o"}, {"OpenAI", "gpt-4o"}, {"openai", ""}} {
		if l, known := Find(no[0], no[1]); known {
			t.Errorf("%v is known: %+v", no, l)
		}
	}
}
