package offline

// The phrases that english looks for, as whole words of a normal sentence.

// adverbs say how much, not what; they are passed over.
const adverbs = `strongly|really|very|much|adamantly|strictly|generally|firmly|absolutely|greatly|personally|simply|usually|typically|truly|honestly|deeply|extremely|particularly|definitely|heavily|quite|highly|vehemently|severely|completely|totally|actively|intensely|wholeheartedly|exclusively|primarily|consistently|definitely|certainly|especially|still|both|kindly`

const leads = `when in doubt|from now on|from here on|from this point on|going forward|as a rule|as a general rule|by convention|our convention is|our convention for|our convention :|the convention here|the convention in this|house rule|house style|standing rule|our policy is|our policy that|our policy :|team policy|project policy|our rule is|our rule :|the rule here|rule of thumb|our style guide forbids|our style guide requires|our style guide says|our style guide is|our style guide asks|in this project we|in this repo we|in this repository we|in this codebase we|for all future|in the long run we|at all times|for future reference|it's policy|it is policy|our standard is|the standard here|we've agreed|we have agreed|we agreed|we decided to always|our practice is|our preference is`

const leadStarts = `in future|in the future|in this project|in this repo|in this repository|in this codebase|for this project|for this repo|for this repository|for this codebase|in general|generally speaking`

const rememberStarts = `remember :|remember that|please remember that|convention :|rule :|preference :|house rule :|note for the future|by default we`

const weakLeads = `keep in mind|in general|by default|in this project|in this repo|in this repository|in this codebase|for this project|for this repo|convention|policy|in our team|important to us|without exception`

// selfVerbs are what a person says of themselves that holds for long.
const selfVerbs = `i prefer|we prefer|i'd always prefer|i dislike|i hate|i avoid|i despise|i detest|i loathe|i can't stand|i cannot stand|i can not stand|i don't like|i do not like|we don't like|i don't enjoy|i do not enjoy|i don't eat|i do not eat|i don't drink|i do not drink|i don't consume|i do not consume|i don't use|i do not use|i don't buy|i do not buy|i don't tolerate|cannot tolerate|can't tolerate|i can't handle|i cannot handle|i can't have|i cannot have|i can't eat|i cannot eat|i refuse to|i won't eat|i will not eat|i won't use|i will not use|i won't buy|i won't consider|i will not consider|i favor|i favour|i'm opposed to|i am opposed to|i oppose|i'm against|i am against|i'm not a fan of|i am not a fan of|i'm not fond of|i am not fond of|i'm allergic to|i am allergic to|i'm sensitive to|i am sensitive to|i'm afraid of|i am afraid of|i'm scared of|i am scared of|i'm terrified of|i am terrified of|i'm uncomfortable with|i am uncomfortable with|i'm not comfortable with|i am not comfortable with|i'm not interested in|i am not interested in|i'm averse to|i am averse to|i'm vegan|i am vegan|i'm vegetarian|i am vegetarian|i'm a vegan|i am a vegan|i'm a vegetarian|i am a vegetarian|i am lactose|i'm lactose|i am intolerant|i'm intolerant|i'm a advocate|i'm a strong advocate|i am a advocate|i'm an advocate|i follow a|i follow an|i adhere to|i stick to|i insist on|i prioritize|i prioritise|i thrive in|i thrive on|i observe|i believe in adopting|i like my|i tend to avoid|i stay away from|i steer clear of|i shy away from|i gravitate towards|i feel uncomfortable|i get motion sick|i am not fond|i don't believe in|i do not believe in|i don't appreciate`

// leanings are what one has for or against things.
const leanings = `aversion|preference for|preference against|dislike for|dislike of|dislike to|dislike towards|fear of|phobia|allergy|allergies|intolerance|intolerances|distaste|hatred|disdain|no interest|zero interest|weakness for|soft spot|love for|passion for|policy of not|policy of never|diet|moral objection|tendency to`

const priorities = `my number one priority|my top priority|my priority is|my preference is to|our preference is to|my preference is for|i'd rather never|my rule is|my style is`

// groupVerbs are what a group says it does when it states a convention.
const groupVerbs = `use|write|keep|name|put|prefer|require|follow|squash|rebase|deploy|release|tag|review|format|indent|target|support|ship|sign|pin|treat|run|branch|sort|wrap|avoid|favour|favor|stick|adhere|version|spell|capitalize|capitalise|prefix|expect|ban|forbid|disallow|document|test|log everything|writes|uses|keeps|names|puts|prefers|requires|follows|squashes|rebases|deploys|reviews|formats|avoids|sticks|commits|runs|commit|merge|merges|develop`

// observed follow always and never where they tell what was seen to happen.
const observed = `fails|failed|returns|returned|crashes|crashed|worked|works|happens|happened|was|were|been|got|gets|get|give up|quit|forget|answered|answer|mind|say never|here|up|happy|a|so|great|good|nice|fun|special|staying|feel|look forward|stop|remind|saw|said|seen|had|did|does|ran|runs|heard|tried|knew|thought|true|false|null|empty|the same|shows|gives|ends|hangs|stops|reached|called|executed|terminates|used|null|nil|set|finished|there`

const forbiddances = `are forbidden|is forbidden|are not allowed|is not allowed|aren't allowed|isn't allowed|are not permitted|is not permitted|are banned|is banned|are prohibited|is prohibited|are mandatory|is mandatory|guide forbids|is off limits|are off limits|are not to be|is not to be|never ever|non-negotiable`

// states are verbs by which something is said to be so for a whole kind.
const states = `needs|need|gets|get|must|should|requires|require|goes|go|starts|start|ends|end|comes|come|are|is|live|lives|sit|sits|belong|belongs|use|uses|default|defaults|describe|describes|follow|follows|branch|carry|carries|stay|stays|contain|contains|become|becomes|run|talks|talk`

// troubles tell of a defect, not of a wish.
const troubles = `is wrong|are wrong|crash|crashes|crashed|panic|panics|fails|failing|failed|broken|breaks|is slow|are slow|too slow|reproduce|after the|must pass|should pass|should return|amazing|awesome|so much fun|is fun|always fun|always cool|always special|inspiring|motivating|leak|leaks|times out|timed out|stack trace|exception is|is null|is empty|doesn't work|does not work|don't work|isn't working|500|404|is missing|are missing|passes now|pass now|are green|is green|is red|are red`

// dontOnce begin prohibitions that are mostly about the work at hand.
const dontOnce = `don't worry|do not worry|don't forget|do not forget|don't hesitate|don't bother|do not bother|don't wait|do not wait|don't spend|do not spend|don't stop|don't start|don't change|do not change|don't add|do not add|don't rush|don't think|don't know|don't see|don't be|don't get|don't need|don't have|don't do|do not do|don't mind|don't include|do not include|don't go|don't delete|don't remove|don't edit|do not edit|don't run|do not run|don't give|don't let|don't quit|don't push|don't merge|don't deploy`

const englishUnreal = `would|wouldn't|could we|might|if i said|if we said|if we|if i were|if you had|if somebody|if someone|if a user|if the user|as if|maybe|perhaps|wonder|wondering|i think we|should we|shall we|i guess|not sure|unsure|probably`

const englishPast = `used to|the rule was|convention was|policy was|we were|always was|never was|i was|had to|last week|last month|last year|yesterday|previously|formerly|in the old|back then`

const englishTimes = `during|for the prototype|for the spike|for the parser|for the demo|by noon|at noon|at midnight|in an hour|by monday|by friday|until monday|until tuesday|until wednesday|until thursday|until friday|until the release|until next|until then|until we|until i|until further notice|till monday|till friday|next week|next month|asap|as soon as|for the moment|for the time being|for a moment|in a minute|later on|this month|this morning|this afternoon|this evening|while you are at it|while you're at it|before lunch|after lunch|before i leave|tonight's|in the meantime|once|just for`

const questionStarts = `can you|could you|would you|will you|can we|could we|can i|could i|do you|do we|does|did|is there|are there|what|why|how|which|who|where|should we|should i`

// lastingThings may follow "this" without making it about one thing.
const lastingThings = `project|projects|repo|repository|codebase|code base|team|workspace|way|rule|rules|convention|conventions|kind|kinds|type|types|company|organisation|organization|monorepo|package|service|point on|reason|sort|in mind|because`

// scopes make an order one that goes for more than this time.
const scopes = `always|never|every|each|whenever|from now on|going forward|as a rule|in future|in the future|all new|any|unless|everywhere|by convention|for good`

// taskVerbs begin orders about the work at hand.
const taskVerbs = `run the|commit the|commit this|commit it|fix|rename|update|add|implement|refactor|rewrite|remove|delete|investigate|check|look|explain|show|tell|find|create|bump|move|translate|summarise|summarize|draft|convert|install|see|review|try|open|start|begin|give|list|compare|debug|profile|help|suggest|recommend|reproduce|replace|reword|undo|drop|take|ping|send|read|let|connect|change|build|deploy|rebase|merge|tag|split|squash|quarantine|regenerate|put|spell|turn|bring|answer|sign|write up|write a|write the|write this`

// orders may follow a phrase such as "in this project" when it tells how things are done.
const orders = `we|always|never|use|don't|do not|prefer|please|i prefer|i want|i'd like|i like|i don't|i dislike|format|write|run|put|keep|all|every|each|no|commit|commits|avoid|name|sign|test|tests|document|stick|treat|make|ask|pin|follow|pull requests`

// pronounStarts begin sentences that mean nothing without those before them; pronounRules are the exceptions.
const pronounStarts = `he|she|they|they're|it|it's|his|her|their|that|that's|there|those`

const pronounRules = `it is important|it's important|it is our|it's our|it is forbidden|it is not allowed|it's not allowed|it is policy|it's policy|it is mandatory|that is how we|that's how we|it is a rule|it's a rule`

// narrations tell what is, why, or what to look at, not what shall be.
const narrations = `existing tests|stay green|stays green|and it|a user|the user|other users|the users|our users|the customer|the existing|make it so|i prefer something|let me know|don't hesitate|do not hesitate|all those|all that|all this|all my|i'm always|while it runs|while they run|while i|while you work|, but it|, and it|, and now|has a typo|has a bug|is a bug|is a problem|has a problem|a problem with|an error when|there is an error|have a question|so i cannot test|so i can't test|so i cannot see|so i can't see|so i cannot tell|the first|the second|the third|the former|the latter|the other|the new|the old|later|yet|wait for me|going forward with|whenever you are|whenever you have|whenever you feel|when you are|when you have|on monday|on tuesday|on wednesday|on thursday|on friday|on saturday|on sunday|i hate to say|i refuse to believe|that is why|which is why|that's why|this is why|that is the|that's the bug|i checked|i verified|please check|please verify|please look|so i cannot reproduce|so i can't reproduce|, which|thinks|believes|my boss|my manager|my colleague|have a look|take a look|i love working|looking forward|no idea why|so glad|congrats`

const specificWants = `i want the|i need the|i'd like the|i want a|i need a|i'd like a|i need you|i want you to|i'd like you to|i need it|i want it`

// groupNarrates follow a verb of a group's where it tells what happens to them.
const groupNarrates = `getting|seeing|having|into|out of|out|to the|wondering|again|at|late`

// recurrences are what comes again and again.
const recurrences = `whenever|every time|each time|before you commit|before you push|before every|before each|all new|every new|any new|every pr|every pull request|every commit|each commit|each pull request|every release|every change|every merge|every branch|new code|in this project|in this repo`

// productThings are what a product is about; what must be true of them is a requirement of the task at hand more often than a rule of work.
const productThings = `users|user|customers|customer|sessions|session|buttons|button|pages|page|requests|request|rows|row|visitors|accounts|orders|screens|forms|fields|icons|menus|links|passwords|workers|worker|stroke|mark`

// subordinate words make a clause one of time, reason or question, which states no rule by itself.
const subordinate = `before|after|when|if|until|once|while|because|why|what|how|where|since|whether|which|as|did|do|can|should|could|have`
