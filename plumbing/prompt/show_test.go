package prompt

import (
	"strings"
	"testing"
)

func TestShow(t *testing.T) {
	family := "👩\u200D👩\u200D👧"
	long := strings.TrimSuffix(strings.Repeat("👩\u200D", maxJoined), "\u200D")
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"plain", "tab\tand\nnewline", "tab\tand\nnewline"},
		{"words of the world", "Grüße שלום עברית مرحبا 漢字　ไทย हिन्दी", "Grüße שלום עברית مرحبا 漢字　ไทย हिन्दी"},
		{"combining", "e\u0301", "e\u0301"},
		{"bidi", "tabs \u202Esecaps ton\u202C", "tabs <U+202E>secaps ton<U+202C>"},
		{"isolates and marks", "\u2066\u2069\u200E\u200F\u061C", "<U+2066><U+2069><U+200E><U+200F><U+061C>"},
		{"zero width", "a\u200Bb\u2060c\uFEFFd\u00ADe", "a<U+200B>b<U+2060>c<U+FEFF>d<U+00AD>e"},
		{"tags", "x\U000E0001\U000E0049\U000E0067", "x<U+E0001><U+E0049><U+E0067>"},
		{"selectors without a picture", "a\uFE00\uFE0F\U000E0100", "a<U+FE00><U+FE0F><U+E0100>"},
		{"fillers", "\u115F\u3164\uFFA0\u034F\u180E\u17B4", "<U+115F><U+3164><U+FFA0><U+034F><U+180E><U+17B4>"},
		{"controls", "\x1b[2J\r\x00\x7f\u009B\u0085", "<U+001B>[2J<U+000D><U+0000><U+007F><U+009B><U+0085>"},
		{"separators", "\u2028\u2029", "<U+2028><U+2029>"},
		{"noncharacters", "\uFFFE\U0010FFFF\uFDD0", "<U+FFFE><U+10FFFF><U+FDD0>"},
		{"visible format characters", "\u0600\u06DD", "\u0600\u06DD"},
		{"family", family, family},
		{"skin tones, selectors", "👍🏽 ❤\uFE0F ☺\uFE0E ❤\uFE0F\u200D🔥 🧑🏽\u200D💻", "👍🏽 ❤\uFE0F ☺\uFE0E ❤\uFE0F\u200D🔥 🧑🏽\u200D💻"},
		{"keycaps", "1\uFE0F\u20E3#\uFE0F\u20E3 2\uFE0F", "1\uFE0F\u20E3#\uFE0F\u20E3 2<U+FE0F>"},
		{"joiner with nothing to join", "👩\u200D \u200D👩 a\u200Db", "👩<U+200D> <U+200D>👩 a<U+200D>b"},
		{"run of joiners", "👩\u200D\u200D👩", "👩<U+200D><U+200D>👩"},
		{"run of selectors", "❤\uFE0F\uFE0F\uFE0E", "❤\uFE0F<U+FE0F><U+FE0E>"},
		{"endless sequence", long + "\u200D👩", long + "<U+200D>👩"},
		{"England", blackFlag + tagged("gbeng"), blackFlag + tagged("gbeng")},
		{"another region", blackFlag + tagged("ustx"), blackFlag + "<U+E0075><U+E0073><U+E0074><U+E0078><U+E007F>"},
		{"tags behind a flag", blackFlag + tagged("gbwls") + "\U000E0049", blackFlag + tagged("gbwls") + "<U+E0049>"},
		{"pirates", "🏴\u200D☠\uFE0F", "🏴\u200D☠\uFE0F"},
		{"bad UTF-8", "\xff\u202E", "\xff<U+202E>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Show(c.in); got != c.want {
				t.Errorf("%q is shown as %q, want %q", c.in, got, c.want)
			}
		})
	}
}
