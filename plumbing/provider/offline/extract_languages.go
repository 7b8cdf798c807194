package offline

import "strings"

// tongue holds the cues of a language, as phrases of a normal sentence or, where
// words are not parted by spaces, as parts of the text.
type tongue struct {
	strong string // enough alone
	habit  string // always and never: enough at the start and beside a frame, else weak
	frame  string // what makes a habit an order or one's own
	weak   string // enough in pairs
	forbid string // rules the sentence out: one time, a hypothesis, others' words, a defect, a task
}

func german(n phrased) int {
	return tongue{
		strong: `grundsätzlich|ab sofort|ab jetzt|von nun an|künftig|zukünftig|in zukunft|bevorzuge|bevorzugen|ich mag keine|ich mag keinen|ich hasse|wir verwenden|wir benutzen|wir nutzen|verwenden wir|nutzen wir|benutzen wir|unsere konvention|konvention ist|konvention :|unsere regel|hausregel|in der regel|ausnahmslos|unter keinen umständen|verboten|nicht erlaubt|ist pflicht|sind pflicht`,
		habit:  `immer|niemals|nie|stets`,
		frame:  `wir|muss|müssen|soll|sollen|darf|dürfen|ich will|ich möchte|ich mag|bitte immer|bitte nie|werden|verwende|benutze|nutze|schreibe|schreib|frag`,
		weak:   `müssen|muss|darf|dürfen|jede|jeder|jedes|jeden|jedem|alle|vor jedem|bei jedem|nach jedem|keine|kein|schreiben wir|wir schreiben|in diesem projekt|in diesem repo|achte darauf|stell sicher|statt|sondern|bitte keine|denk daran|merk dir`,
		forbid: `heute|diesmal|dieses mal|morgen|gerade|vorerst|erstmal|erst mal|ausnahmsweise|vorläufig|einmalig|im moment|momentan|gestern|bis morgen|bis freitag|bis montag|diese woche|für diese aufgabe|würde|würden|würdest|hätte|hätten|wäre|wären|könnte|könnten|müssten|dürften|falls wir|angenommen|vielleicht|stell dir vor|nehmen wir an|sagt|sagte|sagen|schrieb|schreibt er|meint|meinte|laut|früher|schlägt|schlagen|schlug|stürzt|stürzen|kannst du|könntest|immer noch|noch nie|habe nie|hat nie|haben nie|war|waren|diese datei|dieser test|dieser pull request|diesen pull request|dieser commit|diesen commit|diesen branch|bitte prüfe|prüf das|schau|und der|und das|blockiert|funktioniert nicht|klappt nicht|benenne|passe|bitte passe|schreibe ein|schreibe eine|schreib ein|schreib eine|erstelle|ich dachte|warum|ein fehler|einen fehler|ein problem|gibt es|wandle|stell bitte`,
	}.score(n)
}

func french(n phrased) int {
	return tongue{
		strong: `ne jamais|désormais|dorénavant|à partir de maintenant|à l'avenir|je préfère|nous préférons|on préfère|je déteste|je n'aime pas|nous utilisons|on utilise|nous n'utilisons|on n'utilise|par convention|notre convention|notre règle|en règle générale|systématiquement|interdit|interdits|interdite|interdites|obligatoire|obligatoires|sans exception|évite|évitez`,
		habit:  `toujours|jamais`,
		frame:  `nous|on|il faut|doivent|je veux|ne|n'|utilise|utilisez|écris|écrivez|lance|lancez|mets|mettez|vérifie|vérifiez|nomme|signe|demande|dans ce projet|dans ce dépôt`,
		weak:   `doit|doivent|il faut|chaque|tous les|toutes les|avant chaque|après chaque|à chaque|dans ce projet|dans ce dépôt|veille à|assure-toi|plutôt que|au lieu de|ne pas|aucun|aucune`,
		forbid: `aujourd'hui|pour l'instant|cette fois|demain|hier|pour cette tâche|ponctuellement|en ce moment|cette semaine|pour le moment|temporairement|provisoirement|si on|si nous|si je|si désormais|supposons|imaginons|imagine|admettons|serait|seraient|devrait|devait|aurait|faudrait|pourrait|peux-tu|peut-être|a dit|disait|dit que|selon|d'après|a écrit|écrit que|ce commit|cette branche|ce fichier|ce test|échoue|échouent|plante|plantent|est-ce que|n'ai|n'a|n'ont|j'ai|il y a|une erreur|un problème|modifie|écris un|écris une|crée|pourquoi|corrige|répare|corriger|réparer|ajoute|convertis|renomme|regarde|y a-t-il|a-t-elle`,
	}.score(n)
}

func spanish(n phrased) int {
	return tongue{
		strong: `prefiero|preferimos|de ahora en adelante|a partir de ahora|en adelante|en el futuro|usamos|utilizamos|no usamos|odio|no me gusta|no me gustan|por convención|nuestra convención|nuestra regla|por regla general|como norma|prohibido|prohibidos|prohibida|prohibidas|obligatorio|obligatoria|sin excepción|evita|evitamos`,
		habit:  `siempre|nunca|jamás`,
		frame:  `debemos|deben|hay que|quiero|hacemos|escribimos|ejecutamos|usa|utiliza|escribe|ejecuta|pon|firma|pregunta|no|en este proyecto|en este repositorio`,
		weak:   `debe|deben|hay que|cada|todos los|todas las|antes de cada|después de cada|en cada|en este proyecto|en este repositorio|asegúrate|en lugar de|en vez de|ningún|ninguna|no hagas|no uses`,
		forbid: `hoy|por ahora|esta vez|mañana|ayer|de momento|por el momento|esta semana|temporalmente|provisionalmente|si yo|si no|si usáramos|supongamos|supón|imagina|sería|serían|debería|hubiera|qué harías|quizás|tal vez|puedes|podrías|dijo|dice|según|escribió|este commit|esta rama|este archivo|esta prueba|falla|fallan|y si|hay un|aparece|un problema|cambia|escribe un|escribe una|crea|por qué|averigua|arregla|corrige|corregir|arreglar|añade|añadir|convierte|renombra|entendí|vi|he|ha|estaba|era|puedo`,
	}.score(n)
}

// score scores a sentence.
func (t tongue) score(n phrased) int {
	if n.has(t.forbid) || n.has("?") {
		return 0
	}
	score := 0
	switch {
	case n.has(t.strong), n.begins(t.habit), n.has(t.habit) && n.has(t.frame):
		score = enough
	case n.has(t.habit):
		score = 1
	}
	for w := range strings.SplitSeq(t.weak, "|") {
		if n.at(w) >= 0 {
			score++
		}
	}
	return min(score, enough+1)
}

func chinese(s string) int {
	return tongue{
		strong: `始终|一律|永远不要|永远都|绝不要|绝对不要|今后|以后都|以后请|从现在起|从现在开始|从今以后|我们使用|我们用|我们约定|约定|规范是|统一使用|统一用|更喜欢|我喜欢|我不喜欢|我讨厌|我偏好|禁止|每次都|务必|严禁`,
		habit:  `总是|从不|绝不|必须`,
		frame:  `使用|用|写|经过|通过|先|我`,
		weak:   `不要|必须|所有|每次|每个|任何|这个项目|本项目|必须先|之前|除非|而不是|不得|不能|记住|确保`,
		forbid: `今天|这次|这一次|暂时|目前|临时|本次|明天|昨天|现在先|假设|假如|假定|要是|如果|想象|比如|例如|他说|她说|说：|写道|据说|根据|可能|也许|吗|呢|？|?|修改|写一个|写个|请看|看一下|请查|帮我|修好|修复|崩溃|报错|失败|理解|改成|改名|加上|拆成|推送到分支上`,
	}.parts(s)
}

func japanese(s string) int {
	if !hasKana(s) {
		return 0
	}
	return tongue{
		strong: `常に|今後は|今後|これからは|これから先|原則として|規約では|規約です|ルールです|決まりです|統一して|統一します|禁止です|禁止|ほうが好き|方が好き|が好きです|が嫌い|好みます|を使います|を使用します|は使いません|を使いません|を使っています|ようにしてください|ようにしています`,
		habit:  `必ず|いつも|決して|絶対に|毎回`,
		frame:  `ください|します|書きます|始めます|ません|しない|こと`,
		weak:   `プロジェクトでは|リポジトリでは|チームでは|すべての|全ての|ないでください|べきです|なければなりません|こと。|前に|ではなく`,
		forbid: `今日|今回|一旦|いったん|とりあえず|当面|明日|昨日|今だけ|一時的|もし|仮に|例えば|たとえば|としたら|だったら|仮定|と言って|と言い|と書いて|によると|かもしれ|ますか|ですか|？|?|落ち|失敗|エラー|修正|直して|調べて|変えて|分けて|消して|もらえ`,
	}.parts(s)
}

func hasKana(s string) bool {
	for _, r := range s {
		if r >= 0x3040 && r <= 0x30ff {
			return true
		}
	}
	return false
}

// parts scores a text without spaces between words.
func (t tongue) parts(s string) int {
	if hasAny(s, t.forbid, strings.Contains) {
		return 0
	}
	score := 0
	switch {
	case hasAny(s, t.strong, strings.Contains), hasAny(s, t.habit, strings.Contains) && hasAny(s, t.frame, strings.Contains):
		score = enough
	case hasAny(s, t.habit, strings.Contains):
		score = 1
	}
	for w := range strings.SplitSeq(t.weak, "|") {
		if strings.Contains(s, w) {
			score++
		}
	}
	return min(score, enough+1)
}
