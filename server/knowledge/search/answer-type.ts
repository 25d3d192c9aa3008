/** What a question asks for, as far as its words tell. */
export type AnswerType = 'number' | 'time' | 'person' | 'place' | 'reason' | 'name'

/**
 * Patterns of questions in English, German, Spanish, French, Italian, Portuguese, Dutch and Chinese. The types follow Li and
 * Roth, Learning Question Classifiers (2002).
 */
const patterns: readonly (readonly [AnswerType, RegExp])[] = [
  [
    'time',
    /\bwhen\b|\b(?:what|which) (?:\p{L}+ )?(?:year|date|day|month|century|decade|time|era|season|period)s?\b|\bwann\b|\bwelche[mnrs]? (?:jahr|datum|monat|tag|uhrzeit)|\bum wie ?viel uhr\b|\bcuándo\b|\b(?:qué|que) (?:año|ano|fecha|data|siglo|século|mes|mês|día|dia|hora)|\bquand\b|\bquelle? (?:année|date|heure|jour|siècle|mois)|\bquando\b|\b(?:quale|che) (?:anno|data|giorno|secolo|ora|mese)\b|\bwanneer\b|\bwelke? (?:jaar|datum|dag|maand|eeuw)|什么时候|何时|哪一?年|几年|几点/u,
  ],
  [
    'number',
    /\bhow (?:many|much|long|far|tall|old|large|big|high|fast|deep|often|wide|heavy|close|few|strong|hot|cold)\b|\bwhat (?:percent|number|amount|proportion|fraction)|\bwhat (?:is|was|are|were) the (?:\p{L}+ )?(?:population|number|height|length|cost|price|fee|total|average|area|size|distance|temperature|speed|depth|percentage)\b|\bwie ?(?:viele?[mnr]?|hoch|lange?|groß|alt|oft|weit|schwer|teuer)\b|\bwas kostet|\bcu[aá]nt[oa]s?\b|\bcombien\b|\bquant[oaie]s?\b|\bhoe(?:veel| lang| hoog| groot| oud| vaak| ver)\b|多少|多大|多高|多长|几个|几次/u,
  ],
  [
    'person',
    /\bwho\b|\bwhom\b|\bwhose\b|\b(?:what|which) (?:person|president|king|queen|player|man|woman|actor|singer|author|scientist|leader)|\bwe[rmn]\b|\bwessen\b|\bqui[eé]n(?:es)?\b|\bqui\b|\bchi\b|\bquem\b|\bwie (?:is|was|heeft|zijn)\b|谁/u,
  ],
  [
    'place',
    /\bwhere\b|\b(?:what|which) (?:\p{L}+ )?(?:city|country|state|place|location|town|river|region|area|continent|province|county|island|street|stadium|building)\b|\bwo(?:her|hin)?\b|\bwelche[mnrs]? (?:stadt|land|ort|region)|\bd[oó]nde\b|\boù(?!\p{L})|\bdove\b|\bonde\b|\bwaar\b|哪里|哪儿|何处|哪个(?:城市|国家|地方)/u,
  ],
  [
    'reason',
    /\bwhy\b|\bwhat (?:reason|caused|causes)|\bwhat (?:is|was) the (?:reason|cause|purpose)|\bfor what (?:reason|purpose)|\bwarum\b|\bweshalb\b|\bwieso\b|\bpor qu[eéê](?!\p{L})|\bpourquoi\b|\bperché(?!\p{L})|\bwaarom\b|为什么|为何/u,
  ],
  [
    'name',
    /\b(?:what|which)\b.*\b(?:name|named|called|known as|title|term|nickname)\b|\bwie hei(?:ß|ss)|\bc[oó]mo se llama|\bcomment s'appelle/u,
  ],
]

/** Returns the types of the expected answer, the likeliest first; empty if the words do not tell. */
export function answerTypes(question: string): AnswerType[] {
  const text = question.normalize('NFKC').toLowerCase()
  return patterns.flatMap(([type, pattern]) => (pattern.test(text) ? [type] : []))
}

const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const months = listed(`january february march april may june july august september october november december januar februar märz mai juni
  juli oktober dezember enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre janvier février mars
  avril juin juillet août septembre octobre novembre décembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
  janeiro fevereiro março maio junho julho setembro outubro novembro dezembro januari februari maart mei augustus`)
const times = listed(`century centuries decade decades year years month months day days week weeks hour hours spring summer autumn winter
  monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow morning afternoon evening night midnight noon ago
  daily jahr jahre jahren jahrhundert monat monate monaten woche wochen tage tagen stunde stunden uhr montag dienstag mittwoch
  donnerstag freitag samstag sonntag año años siglo meses semana día días hora horas lunes martes miércoles jueves viernes sábado
  domingo année années siècle mois jour jours semaine heure heures lundi mardi mercredi jeudi vendredi samedi dimanche anno anni
  secolo mese mesi giorno giorni ora ano anos século dia dias jaar eeuw maand dagen uur`)
const numerals = listed(`one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
  nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions
  trillion dozen half third quarter once twice double several both zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig
  hundert tausend millionen milliarden dos tres cuatro cinco seis siete ocho nueve diez cien mil millones deux trois quatre cinq sept
  huit neuf dix cent cents mille millions milliards due tre quattro cinque sei sette otto nove dieci cento dois quatro sete oito nove
  dez milhões twee drie vier vijf zes zeven negen tien honderd duizend miljoen`)
const units = listed(`percent feet foot mile miles km kilometre kilometres kilometer kilometers metre metres meter meters m cm mm inch
  inches acre acres hectare hectares ton tons tonnes pound pounds dollar dollars euro euros eur usd kg g year years month months day days
  hour hours minute minutes second seconds week weeks degrees people prozent stunden minuten tage jahre por pour cento`)
const reasons = listed(`because due since therefore thus hence so reason reasons cause causes caused result resulted order purpose owing
  led lead weil wegen aufgrund daher deshalb porque debido parce perché dovuto devido omdat vanwege doordat`)
const beforePlaces = listed(`in at from near to of into located born city country state region province town county north south east west
  northern southern eastern western`)
const pronouns = listed(`it its he she they this these his her their such that those er sie es dies diese dieser él ella ellos esto este
  esta su sus il elle ils elles ce cette ces sa ses egli ella essi questo questa ele ela eles isso hij zij ze het dit deze`)

/** Kinds of words, as bits. */
export const wordKinds = {
  number: 1,
  year: 2,
  time: 4,
  capital: 8,
  unit: 16,
  reason: 32,
  beforePlace: 64,
  pronoun: 128,
} as const

/** The kinds of words that answer a question. */
export const answerKinds = wordKinds.number | wordKinds.year | wordKinds.time | wordKinds.capital | wordKinds.reason

/** Returns the kinds of a word as a sum of `wordKinds`. */
export function wordKindsOf(word: string): number {
  const lower = word.toLowerCase()
  const isYear = /^(?:1\d|20)\d\ds?$/.test(word)
  const isTime = months.has(lower) || times.has(lower) || /^\d{1,4}[年月日]/u.test(word)
  return (
    (isYear ? wordKinds.year : /^\p{N}/u.test(word) || numerals.has(lower) ? wordKinds.number : 0) |
    (isTime ? wordKinds.time : 0) |
    (/^\p{Lu}/u.test(word) && !months.has(lower) ? wordKinds.capital : 0) |
    (units.has(lower) ? wordKinds.unit : 0) |
    (reasons.has(lower) ? wordKinds.reason : 0) |
    (beforePlaces.has(lower) ? wordKinds.beforePlace : 0) |
    (pronouns.has(lower) ? wordKinds.pronoun : 0)
  )
}
