package permission

import (
	"maps"
	"slices"
	"strings"
)

// commandTool is the tool that command lines belong to: its settings hold for
// every call with commands, such as one that starts a command in the background.
const commandTool = "bash"

// Rules decide on calls (design section 12).
//
// Each thing that a call does gets a setting, and the call gets the strictest
// of them: Deny before Ask before Allow. A setting is, in this order:
//   - for a command, the longest "bash:WORDS" that its words begin with;
//   - the one of the tool;
//   - the one of its group;
//   - by default Allow for class Read, and Ask for the others: Allow in mode Auto.
//
// A path outside the workspace is always asked for, in mode Auto too, and so is
// a command that Guard is said of, whatever is set or was granted. Mode ReadOnly denies what is more than Read, whatever is set.
type Rules struct {
	Settings map[string]string // config.Permissions
	Mode     Mode              // "" is Default
}

// item is one thing that a call does, and what the rules say of it.
type item struct {
	setting Setting
	why     string
	rule    string
	key     string // of Grants; "" is never granted
	guard   bool   // of Command.Guard
}

// Judge says what becomes of a call; g may be nil. What was granted answers a
// question, it takes back neither Deny nor mode ReadOnly.
func (r Rules) Judge(n Need, g *Grants) Verdict {
	var worst *item
	for _, it := range r.items(n) {
		if it.setting == Ask && g.has(it.key) {
			it.setting, it.why = Allow, "it was allowed for this session"
		}
		if worst == nil || it.setting.rank() > worst.setting.rank() || it.setting == worst.setting && worst.rule == "" && it.rule != "" && !worst.guard {
			worst = &it
		}
	}
	class := n.strongest()
	if r.Mode == ReadOnly && class != Read && worst.setting != Deny {
		return Verdict{Setting: Deny, Why: "mode readonly refuses what does more than read" + because(n.whyOf(class))}
	}
	return Verdict{Setting: worst.setting, Why: worst.why, Rule: worst.rule}
}

// items are all things that a call does; there is at least one.
func (r Rules) items(n Need) []item {
	var list []item
	most := Read
	for _, c := range n.Commands {
		list = append(list, guarded(r.command(n, c), c))
		most = stronger(most, c.Class)
	}
	if len(n.Commands) == 0 || stronger(most, n.Class) != most {
		list = append(list, r.tool(n))
	}
	for _, path := range n.Outside {
		list = append(list, item{setting: Ask, why: shown(path) + " is outside the workspace", key: pathKey(path, n.strongest())})
	}
	return list
}

// tool is the call as a whole.
func (r Rules) tool(n Need) item {
	it := item{key: toolKey(n)}
	if s, rule, ok := r.set(n); ok {
		it.setting, it.rule, it.why = s, rule, rule+" is "+string(s)
		return it
	}
	return r.byClass(it, n.Class, n.Why)
}

// guarded is what no setting allows and nobody grants for longer than once.
func guarded(it item, c Command) item {
	if !c.Guard || it.setting == Deny {
		return it
	}
	return item{setting: Ask, why: c.Why, guard: true}
}

// command is one command of a line.
func (r Rules) command(n Need, c Command) item {
	it := item{key: commandKey(c)}
	s, key := r.longest(c)
	if key == "" {
		var ok bool
		if s, key, ok = r.set(n); !ok {
			it = r.byClass(it, c.Class, c.Why)
			return r.doubted(it, c)
		}
	} else {
		key = `permissions."` + key + `"`
	}
	it.setting, it.rule, it.why = s, key, key+" is "+string(s)
	return r.doubted(it, c)
}

// doubted makes an allowed command a question, where it may turn out to be one that is not.
func (r Rules) doubted(it item, c Command) item {
	if it.setting != Allow || !c.Cut && !slices.ContainsFunc(c.Also, func(f []string) bool { return len(f) == 0 }) {
		return it
	}
	for _, key := range r.prefixes() {
		words := wordsOf(key)
		might := c.Cut && begins(words, c.Words)
		for _, form := range c.Also {
			might = might || begins(words, form) && (c.Cut || len(form) == 0)
		}
		if might && r.Settings[key] != string(Allow) {
			rule := `permissions."` + key + `"`
			return item{setting: Ask, rule: rule, key: it.key, why: "it may be what " + rule + " is about, which is not known before it runs"}
		}
	}
	return it
}

func (r Rules) byClass(it item, class Class, why string) item {
	switch {
	case class == Read:
		it.setting, it.why = Allow, "it only reads"
	case r.Mode == Auto:
		it.setting, it.why = Allow, "mode auto allows it"
	default:
		it.setting, it.why = Ask, "class "+string(class)+" asks by default"+because(why)
	}
	return it
}

// set is the setting of the tool or its group; for a tool that runs commands
// that of "bash" holds as well.
func (r Rules) set(n Need) (s Setting, rule string, ok bool) {
	for _, name := range []string{n.Tool, n.Group} {
		if v, has := r.Settings[name]; has && name != "" {
			s, rule, ok = setting(v), "permissions."+name, true
			break
		}
	}
	if v, has := r.Settings[commandTool]; has && len(n.Commands) > 0 && n.Tool != commandTool && (!ok || setting(v).rank() > s.rank()) {
		s, rule, ok = setting(v), "permissions."+commandTool, true
	}
	return s, rule, ok
}

// longest finds the setting of the longest key that a command begins with. Of
// the other words for it only what asks or denies counts, and it counts before
// what its own words say.
func (r Rules) longest(c Command) (Setting, string) {
	own, key := r.match(c.Words, c.Known)
	for _, form := range c.Also {
		if s, k := r.match(form, true); k != "" && s != Allow && (key == "" || s.rank() > own.rank()) {
			own, key = s, k
		}
	}
	return own, key
}

// match finds the longest key; one that allows only where allowed is true.
func (r Rules) match(words []string, allowed bool) (s Setting, key string) {
	for _, k := range r.prefixes() {
		v := setting(r.Settings[k])
		if begins(words, wordsOf(k)) && len(wordsOf(k)) > len(wordsOf(key)) && (allowed || v != Allow) {
			s, key = v, k
		}
	}
	return s, key
}

// prefixes are the keys for commands, sorted.
func (r Rules) prefixes() []string {
	var keys []string
	for _, k := range slices.Sorted(maps.Keys(r.Settings)) {
		if strings.HasPrefix(k, commandTool+":") {
			keys = append(keys, k)
		}
	}
	return keys
}

func wordsOf(key string) []string { return strings.Fields(strings.TrimPrefix(key, commandTool+":")) }

func begins(words, with []string) bool {
	return len(words) >= len(with) && slices.Equal(words[:len(with)], with)
}

// setting reads a value; what is none asks.
func setting(v string) Setting {
	if s := Setting(v); s == Allow || s == Deny {
		return s
	}
	return Ask
}

func (s Setting) rank() int { return slices.Index([]Setting{Allow, Ask, Deny}, s) }

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

// strongest is the class of a call with all its commands.
func (n Need) strongest() Class {
	class := n.Class
	for _, c := range n.Commands {
		class = stronger(class, c.Class)
	}
	return class
}

func (n Need) whyOf(class Class) string {
	for _, c := range n.Commands {
		if c.Class == class && c.Why != "" {
			return c.Why
		}
	}
	return n.Why
}
