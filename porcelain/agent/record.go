package agent

import (
	"github.com/lecode/lecode/plumbing/provider"
	"github.com/lecode/lecode/plumbing/session"
)

// The records that an agent appends (design section 4), without seq and time.
type (
	userRecord struct {
		Content []provider.Block `json:"content"`
		Origin  string           `json:"origin"`
		Role    string           `json:"role"`
		Type    string           `json:"type"`
	}
	// syntheticRecord is a user-role message that nobody typed.
	syntheticRecord struct {
		Content    []provider.Block `json:"content"`
		Generation int64            `json:"generation"`
		Origin     string           `json:"origin"`
		Role       string           `json:"role"`
		Type       string           `json:"type"`
	}
	assistantRecord struct {
		CallID     string           `json:"call_id"`
		Content    []provider.Block `json:"content"`
		Generation int64            `json:"generation"`
		Model      string           `json:"model"`
		Origin     string           `json:"origin"`
		Role       string           `json:"role"`
		Type       string           `json:"type"`
		Usage      *provider.Usage  `json:"usage"`
	}
	// cancelledRecord is what was streamed before an interrupt (design section 12).
	cancelledRecord struct {
		CallID     string           `json:"call_id"`
		Cancelled  bool             `json:"cancelled"`
		Content    []provider.Block `json:"content"`
		Generation int64            `json:"generation"`
		Model      string           `json:"model"`
		Origin     string           `json:"origin"`
		Role       string           `json:"role"`
		Type       string           `json:"type"`
		Usage      *provider.Usage  `json:"usage"`
	}
	toolRecord struct {
		Content    []provider.Block `json:"content"`
		Generation int64            `json:"generation"`
		Origin     string           `json:"origin"`
		Role       string           `json:"role"`
		Type       string           `json:"type"`
	}
	cancelRecord struct {
		Type string `json:"type"`
	}
)

func userMessage(in Input) userRecord {
	content := in.Files
	if in.Text != "" {
		content = append([]provider.Block{provider.Text(in.Text)}, content...)
	}
	return userRecord{Content: content, Origin: session.OriginUser, Role: provider.RoleUser, Type: session.TypeMessage}
}

func syntheticMessage(text string, generation int64) syntheticRecord {
	return syntheticRecord{Content: []provider.Block{provider.Text(text)}, Generation: generation,
		Origin: session.OriginSynthetic, Role: provider.RoleUser, Type: session.TypeMessage}
}

func assistantMessage(r provider.Response, generation int64) assistantRecord {
	return assistantRecord{CallID: r.CallID, Content: r.Blocks, Generation: generation, Model: r.Model,
		Origin: session.OriginGenerated, Role: provider.RoleAssistant, Type: session.TypeMessage, Usage: r.Usage}
}

func cancelledMessage(r provider.Response, generation int64) cancelledRecord {
	return cancelledRecord{CallID: r.CallID, Cancelled: true, Content: r.Blocks, Generation: generation, Model: r.Model,
		Origin: session.OriginGenerated, Role: provider.RoleAssistant, Type: session.TypeMessage, Usage: r.Usage}
}

func toolMessage(c Call, r Result) toolRecord {
	return toolRecord{Content: []provider.Block{resultBlock(c, r)}, Generation: c.Generation,
		Origin: session.OriginGenerated, Role: provider.RoleTool, Type: session.TypeMessage}
}

// resultBlock is a result as the model gets it.
func resultBlock(c Call, r Result) provider.Block {
	return provider.Block{Type: provider.TypeToolResult, ID: c.ID, Name: c.Name, Text: r.Text, IsError: r.IsError, Files: r.Files}
}
