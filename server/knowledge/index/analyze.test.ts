import { describe, expect, it } from 'vitest'
import { analysisLanguage, analyze, analyzeQuery, languageOf } from './analyze.ts'
import { stemming } from './stemmers.ts'
import { hostileStrings } from '../../testing/hostile-values.ts'

describe('analyze', () => {
  it.each([
    ['en', 'The Panthers’ defenses were running', ['panther', 'defens', 'run']],
    ['en', "It's the company's policy, don't you think?", ['compani', 'polici', 'think']],
    ['de', 'Die Häuser der Städte', ['haus', 'stadt']],
    ['de', 'HÄUSER', ['haus']],
    ['es', '¿Cuántas capturas?', ['captur']],
    ['fr', "L'homme qu’on aime", ['homm', 'aim']],
    ['ru', 'Книги о городах', ['книг', 'город']],
    ['el', 'πόλεις', ['πολ']],
    ['und', 'Zażółć gęślą jaźń', ['zazołc', 'gesla', 'jazn']],
  ])('stems words of %s: %s', (language, text, terms) => {
    expect(analyze(text, language)).toEqual(terms)
  })

  it('splits numbers, codes and identifiers into parts', () => {
    expect(analyze('SKU-1042/B costs €19.90 (v2.1) max_tokens x86_64 3½ café', 'en')).toEqual([
      'sku',
      '1042',
      'b',
      'cost',
      '19',
      '90',
      'v2',
      '1',
      'max',
      'token',
      'x86',
      '64',
      '31',
      '2',
      'cafe',
    ])
  })

  it('normalizes full-width and composed forms', () => {
    expect(analyze('Ｃａｆｅ\u0301 ﬁle', 'en')).toEqual(analyze('café file', 'en'))
  })

  it('ignores characters without width', () => {
    expect(analyze('key\u200Bboard key\u200Cboard key\u00ADboard \uFEFFkeyboard', 'en')).toEqual(Array(4).fill('keyboard'))
    expect(analyzeQuery('key\u2060board', ['en']).map(({ term }) => term)).toEqual(['keyboard'])
  })

  it('indexes unspaced scripts by characters and bigrams, in addition to words', () => {
    expect(analyze('東京tower', 'en')).toEqual(['東', '京', '東京', 'tower'])
    expect(analyze('ก', 'und')).toEqual(['ก'])
  })

  it('keeps the vowel signs of Indic scripts', () => {
    expect(analyze('कि', 'und')).toEqual(['कि'])
  })

  it('splits at characters that are not part of words', () => {
    expect(analyze('x'.repeat(5000), 'en')).toEqual(['x'.repeat(64)])
  })

  it('returns nothing for an empty text', () => {
    expect(analyze(' \u0000\ud800 🙂🙂 — … ', 'en')).toEqual([])
  })
})

describe('analyzeQuery', () => {
  it('returns the term of each word in each language', () => {
    const query = analyzeQuery('the running nations', ['en', 'de'])
    expect(query).toEqual([
      { group: 0, word: 'the', term: 'the', language: 'de' },
      { group: 1, word: 'running', term: 'run', language: 'en' },
      { group: 1, word: 'running', term: 'running', language: 'de' },
      { group: 2, word: 'nations', term: 'nation', language: 'en' },
      { group: 2, word: 'nations', term: 'nation', language: 'de' },
    ])
  })

  it('treats a single character like a bigram', () => {
    expect(analyzeQuery('猫', ['en'])).toEqual([{ group: 0, word: '猫', term: '猫', language: 'en', weight: 1 }])
    expect(analyzeQuery('東京都', ['en']).map(({ term }) => term)).toEqual(expect.arrayContaining(['東京', '京都']))
  })

  it.each([...stemming.keys(), 'und', 'ar.2', 'el.2', 'hi.2', 'it.2', 'tr.2', 'tr.3', 'zh.2', 'th', 'th.2'])(
    'finds every word of a text in %s',
    (language) => {
      const text = 'The Häuser’s naciones l’homme книги города βιβλία العربية किताबें 東京都 İstanbul 1042-B running kitaplarım'
      const indexed = new Set(analyze(text, language))
      const asked = analyzeQuery(text, [language])
      expect(asked.length).toBeGreaterThan(10)
      expect(asked.filter(({ term }) => !indexed.has(term))).toEqual([])
    },
  )

  it.each([
    ['ar', 'متى فُتح المتحف؟', 'فُتح المتحف'],
    ['el', 'Πότε άνοιξε το μουσείο;', 'άνοιξε μουσείο'],
    ['hi', 'संग्रहालय कब खुला था?', 'संग्रहालय खुला'],
    ['it', "Dov'è il museo?", 'museo'],
    ['ru', 'В каком году открыли музей?', 'году открыли музей'],
    ['tr', 'Müze nerede?', 'Müze'],
    ['vi', 'Ai đã mở bảo tàng?', 'mở bảo tàng'],
    ['zh', '什么？博物馆', '博物馆'],
    ['ja', '博物館 いつ', '博物館'],
    ['th', 'พิพิธภัณฑ์ ที่ไหน', 'พิพิธภัณฑ์'],
  ])('omits the question words of %s: %s', (language, question, rest) => {
    const termsOf = (text: string) => analyzeQuery(text, [analysisLanguage(language)]).map(({ term }) => term)
    expect(termsOf(question)).toEqual(termsOf(rest))
    expect(termsOf(rest)).not.toEqual([])
  })

  it('limits the number of words', () => {
    const query = analyzeQuery('word '.repeat(10_000), ['en'])
    expect(query).toHaveLength(128)
  })

  it('accepts any string', () => {
    for (const text of hostileStrings) {
      const terms = [...analyze(text, 'en'), ...analyzeQuery(text, ['en', 'de', 'ru', 'und']).map(({ term }) => term)]
      expect(terms.every((term) => term.length > 0 && term.length <= 64 && !term.includes('\u0000'))).toBe(true)
    }
  })
})

describe('analysis of scripts', () => {
  it.each([
    ['ar', 'والكِتابُ', 'كتـاب'],
    ['ar', 'المدرسة', 'مدرسه'],
    ['ar', 'أحمد إلى', 'احمد الي'],
    ['ar', '٢٠٢٤', '2024'],
    ['fa', 'می\u200cخواهم ۱۲', 'ميخواهم 12'],
    ['he', 'שָׁלוֹם', 'שלום'],
    ['hi', 'हिन्दी लड़कों', 'हिंदी लडका'],
    ['hi', '२०२४', '2024'],
    ['tr', 'ISPARTA İZMİR', 'ısparta izmir'],
    ['tr', 'şehirlerin', 'sehirlerin'],
    ['tr', "Türkiye'nin NASA’nın 1990'da", 'Türkiye NASA 1990'],
    ['tr', "O'Neill'in", 'oneillin'],
    ['el', 'ΑΝΘΡΩΠΟΣ', 'ανθρώπους'],
    ['el', 'βιβλίο κτίριο', 'βιβλία κτιρίου'],
    ['it', "dell'acqua nell’anno cos'è", 'acqua anno'],
    ['it', "rock'n'roll", 'rocknroll'],
    ['zh', '計算機軟體', '计算机软体'],
    ['zh', '乾淨的頭髮', '干净的头发'],
    ['ja', 'ｶﾞｲﾄﾞ', 'ガイド'],
    ['th', '๒๕๖๗', '2567'],
    ['vi', 'hòa thúy khỏe', 'hoà thuý khoẻ'],
    ['th', 'น\u0e4d\u0e49\u0e32', 'น้ำ'],
  ])('%s: %s equals %s', (language, one, other) => {
    const analysis = analysisLanguage(language)
    expect(analyze(one, analysis)).toEqual(analyze(other, analysis))
    const indexed = new Set(analyze(one, analysis))
    expect(analyzeQuery(other, [analysis]).filter(({ term }) => !indexed.has(term))).toEqual([])
  })

  it.each([
    ['hi', 'किताब', 'कताब'],
    ['th', 'ที่', 'ทา'],
    ['my', 'ကို', 'ကာ'],
  ])('%s: keeps the vowels of %s', (language, one, other) => {
    expect(analyze(one, analysisLanguage(language))).not.toEqual(analyze(other, analysisLanguage(language)))
  })

  it('keeps the marks of Vietnamese, and finds words without them', () => {
    expect(analyze('Bảo hành', 'vi')).toEqual(['bảo', 'bao', 'hành', 'hanh'])
    expect(analyzeQuery('bảo đảm', ['vi']).map(({ term }) => term)).toEqual(['bảo', 'đảm'])
    for (const analysis of ['vi', 'vi.2']) {
      const askedIn = (text: string) => analyzeQuery(text, [analysis]).map(({ term }) => term)
      expect(askedIn('bao dam')).toEqual(['bao', 'dam'])
      expect(analyze('bảo đảm', analysis)).toEqual(expect.arrayContaining(['bao', 'dam']))
      expect(analyze('bào', analysis)).not.toContain(askedIn('bảo')[0])
    }
  })

  it('indexes words of unspaced scripts beside bigrams, which weigh as much together', () => {
    expect(analyze('การรับประกัน', analysisLanguage('th'))).toContain('ประกัน')
    const terms = analyzeQuery('ประกัน', [analysisLanguage('th')])
    const sum = (isWord: boolean): number =>
      terms.filter(({ term }) => (term === 'ประกัน') === isWord).reduce((total, { weight = 1 }) => total + weight, 0)
    expect([sum(true), sum(false)]).toEqual([1, expect.closeTo(1, 9)])
  })
})

describe('Thai and Lao', () => {
  it.each([
    ['th', 'จำนวนประชากร', 'จำนวน', 'ทำไม'],
    ['lo', 'ຈຳນວນ', 'ຈຳນວນ', ''],
  ])('%s: words have the vowel sign am as one character', (language, text, word, questionWord) => {
    const analysis = analysisLanguage(language)
    expect(analyze(text, analysis)).toContain(word)
    expect(analyze(text.normalize('NFKC'), analysis)).toEqual(analyze(text, analysis))
    expect(analyzeQuery(`${text} ${questionWord}`, [analysis])).toEqual(analyzeQuery(text, [analysis]))
  })

  it('asks for the halves of the sign in former documents', () => {
    const terms = analyzeQuery('จำนวน', ['th', 'th.2'])
    const former = terms.filter(({ language }) => language === 'th').map(({ term }) => term)
    expect(former.slice(0, 2)).toEqual(['จ\u0e4d', '\u0e32น'])
    const indexed = analyze('จำนวน', 'th')
    expect(former.filter((term) => [...term].length === 2 && !indexed.includes(term))).toEqual([])
    expect(new Set(terms.map(({ group }) => group)).size).toBe(former.length)
  })
})

describe('Chinese', () => {
  it('has the characters of Japanese and former documents as they are', () => {
    expect(analyze('圖書館', 'ja')).toContain('圖書')
    expect(analyze('圖書館', 'zh')).toContain('圖書')
    expect(analyze('圖書館', analysisLanguage('zh'))).toContain('图书')
  })

  it('asks for traditional and simplified characters, each in the languages that have them, with one weight', () => {
    const terms = analyzeQuery('圖書', ['ja', 'zh', 'zh.2'])
    expect(terms.map(({ group, term, language }) => [group, term, language])).toEqual([
      [0, '圖書', 'ja'],
      [0, '圖書', 'zh'],
      [0, '图书', 'zh.2'],
    ])
  })
})

describe('former analyses', () => {
  it('keep their rules, so that a query finds what they indexed', () => {
    expect(analyze('والكتاب', 'ar')).toEqual(['والكتاب'])
    expect(analyze('ประกัน', 'und')).not.toContain('ประกัน')
    const terms = analyzeQuery('२०२४ والكتاب', ['und', 'ar', 'ar.2']).map(({ group, term, language }) => [group, term, language])
    expect(terms).toEqual([
      [0, '२०२४', 'und'],
      [0, '२०२४', 'ar'],
      [0, '2024', 'ar.2'],
      [1, 'والكتاب', 'und'],
      [1, 'والكتاب', 'ar'],
      [1, 'كتاب', 'ar.2'],
    ])
    const former = { el: analyze('βιβλίο', 'el'), it: analyze("dell'acqua l'acqua", 'it'), tr: analyze("1990'da", 'tr.2') }
    expect(former).toEqual({ el: ['βιβλι'], it: ['dellacqu', 'acqua'], tr: ['1990da'] })
  })
})

describe('analysisLanguage', () => {
  it('is the language, with a revision if its analysis has changed; English if it is unknown', () => {
    expect([null, undefined, 'de', 'zh', 'xx', 'ar'].map(analysisLanguage)).toEqual(['en', 'en', 'de', 'zh.2', 'xx', 'ar.2'])
    expect(['tr', 'it', 'el', 'vi'].map(analysisLanguage)).toEqual(['tr.3', 'it.2', 'el.2', 'vi.2'])
    expect(['de', 'ar.2', 'ar', 'tr.3', 'und'].map(languageOf)).toEqual(['de', 'ar', 'ar', 'tr', 'und'])
  })
})
