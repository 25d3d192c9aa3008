/** The words for numbers in a language, in lower case without diacritics. */
interface Numerals {
  /** The words for 1 to 20, separated by spaces; `-` for one that consists of several words. */
  readonly upToTwenty: string
  /** The words for 30, 40 … 90. */
  readonly tens: string
  /** Other words with their values. */
  readonly others?: Readonly<Record<string, number>>
  readonly hundred: string
  readonly thousand: string
  readonly million: string
  /** The word within numbers, such as "and". */
  readonly and?: string
  /** How a word joins tens and units: "fünfundzwanzig", "ventotto". Hundreds and thousands are then joined too. */
  readonly joined?: (ten: string, unit: string) => string
  /** Whether 17 is written as 10 and 7, 80 as four twenties and 99 as 80 and 19. */
  readonly countsTwenties?: boolean
  /** Number words that often have another meaning. */
  readonly ambiguous?: readonly string[]
}

/** By ISO 639-1 code. */
const numerals: Readonly<Record<string, Numerals>> = {
  en: {
    upToTwenty:
      'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
    tens: 'thirty forty fifty sixty seventy eighty ninety',
    hundred: 'hundred',
    thousand: 'thousand',
    million: 'million',
    and: 'and',
  },
  de: {
    upToTwenty:
      'ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn zwanzig',
    tens: 'dreissig vierzig funfzig sechzig siebzig achtzig neunzig',
    others: { eins: 1, zwo: 2 },
    hundred: 'hundert',
    thousand: 'tausend',
    million: 'million millionen',
    joined: (ten, unit) => `${unit}und${ten}`,
  },
  nl: {
    upToTwenty:
      'een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig',
    tens: 'dertig veertig vijftig zestig zeventig tachtig negentig',
    hundred: 'honderd',
    thousand: 'duizend',
    million: 'miljoen',
    joined: (ten, unit) => `${unit}en${ten}`,
  },
  it: {
    upToTwenty:
      'uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
    tens: 'trenta quaranta cinquanta sessanta settanta ottanta novanta',
    hundred: 'cento cent',
    thousand: 'mille mila',
    million: 'milione milioni',
    joined: (ten, unit) => (/^[ou]/.test(unit) ? ten.slice(0, -1) : ten) + unit,
    // "You are".
    ambiguous: ['sei'],
  },
  es: {
    upToTwenty:
      'uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte',
    tens: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
    others: {
      ...valued('un una', () => 1),
      ...valued('veintiun veintiuna', () => 21),
      ...valued('veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve', (at) => 21 + at),
      ...valued('doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos', (at) => 200 + 100 * at),
      ...valued('doscientas trescientas cuatrocientas quinientas seiscientas setecientas ochocientas novecientas', (at) => 200 + 100 * at),
    },
    hundred: 'cien ciento',
    thousand: 'mil',
    million: 'millon millones',
    and: 'y',
  },
  pt: {
    upToTwenty:
      'um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte',
    tens: 'trinta quarenta cinquenta sessenta setenta oitenta noventa',
    others: {
      uma: 1,
      duas: 2,
      quatorze: 14,
      ...valued('dezasseis dezassete', (at) => 16 + at),
      dezanove: 19,
      ...valued('duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos', (at) => 200 + 100 * at),
      ...valued('duzentas trezentas quatrocentas quinhentas seiscentas setecentas oitocentas novecentas', (at) => 200 + 100 * at),
    },
    hundred: 'cem cento',
    thousand: 'mil',
    million: 'milhao milhoes',
    and: 'e',
  },
  fr: {
    upToTwenty: 'un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize - - - vingt',
    tens: 'trente quarante cinquante soixante septante huitante nonante',
    others: { une: 1, vingts: 20, octante: 80 },
    hundred: 'cent cents',
    thousand: 'mille',
    million: 'million millions',
    and: 'et',
    countsTwenties: true,
    // "New".
    ambiguous: ['neuf'],
  },
}

function valued(words: string, value: (at: number) => number): Record<string, number> {
  return Object.fromEntries(words.split(' ').map((word, at) => [word, value(at)]))
}

/** Number words of a language. */
export interface NumberWords {
  /** Returns the value of a word in lower case without diacritics; undefined if it is no number. */
  readonly valueOf: (word: string) => number | undefined
  readonly and: string | undefined
  readonly countsTwenties: boolean
  readonly ambiguous: readonly string[]
}

function numberWords({
  upToTwenty,
  tens,
  others,
  hundred,
  thousand,
  million,
  and,
  joined,
  countsTwenties = false,
  ambiguous = [],
}: Numerals): NumberWords {
  const small = new Map(Object.entries({ ...valued(upToTwenty, (at) => at + 1), ...valued(tens, (at) => 30 + 10 * at), ...others }))
  if (joined !== undefined) {
    const tenWords = [...small].filter(([, value]) => value >= 20)
    const unitWords = [...small].filter(([, value]) => value < 10)
    for (const [ten, tenValue] of tenWords) for (const [unit, value] of unitWords) small.set(joined(ten, unit), tenValue + value)
  }
  const scales = Object.entries({ ...valued(million, () => 1_000_000), ...valued(thousand, () => 1000), ...valued(hundred, () => 100) })
  function valueOf(word: string): number | undefined {
    const known = small.get(word) ?? scales.find(([scale]) => scale === word)?.[1]
    if (known !== undefined || joined === undefined) return known
    for (const [scale, value] of scales) {
      const at = word.indexOf(scale)
      if (at < 0) continue
      const before = at === 0 ? 1 : valueOf(word.slice(0, at))
      const rest = word.slice(at + scale.length)
      const after = rest === '' ? 0 : valueOf(rest)
      if (before !== undefined && before < value && after !== undefined && after < value) return before * value + after
    }
    return undefined
  }
  return { valueOf, and, countsTwenties, ambiguous }
}

/** By ISO 639-1 code of the language. */
export const numberWordsOf: ReadonlyMap<string, NumberWords> = new Map(
  Object.entries(numerals).map(([language, each]) => [language, numberWords(each)]),
)
