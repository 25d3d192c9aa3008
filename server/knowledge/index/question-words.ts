import { composed } from './vowel-am.ts'

/**
 * Question words, and the most common function words, of languages whose documents are indexed with all words, and further
 * question words of Italian and Russian, whose documents are indexed without the stop words of `stopWords`. They are rare in
 * the passages that answer a question, so BM25 would give them much weight. Only queries leave them out. BM25 nDCG@10 rises from
 * .933 to .942 on XQuAD in Arabic, and from .935 to .941 on questions about Thai encyclopedia articles. In Chinese, it falls from
 * .969 to .968 with function words in the list, so it has none.
 */
const spaced: Readonly<Record<string, string>> = {
  ar: `ما ماذا من هو هي متى أين كيف كم لماذا هل أي أية في على إلى عن التي الذي كان كانت و`,
  el: `ποιος ποια ποιο ποιον ποιοι ποιες ποιων ποιους ποιου ποιας ποιανού ποιός ποιά ποιό τίνος τι πότε πού πόσο πόσος πόση πόσα πόσοι
    πόσες πόσους πόσων πόσης πώς γιατί είναι ήταν έχει έχουν είχε ο η το οι τα του της των τον την τους τις στο στη στην στον στα
    στους στις σε με από για και ένα ένας μια μία που να ως αυτό αυτή αυτός αυτά οποίο οποία οποίος`,
  hi: `क्या कौन कौनसा कौनसी कौनसे किस किसे किसने किसका किसकी किसके किन किनका किनकी किनके किन्हें किन्होंने कब कहाँ कहां कैसे कैसा कैसी कितना कितने
    कितनी क्यों का की के में से को ने है हैं था थे थी और पर एक यह वह इस उस जो कि भी ही तो द्वारा गया गई गए हुआ हुई हुए`,
  it: `quanta quante quant dove cosa quel quei quegli fu furono`,
  ru: `каков какова каково каковы какого какому каким какой какую каком какими кого кому кем ком чего чему чем чём чей чья чьё чьи чьего
    чьей зачем откуда насколько скольких сколькими который которая которое которые которого которой которых котором которому`,
  tr: `ne nedir nelerdir neden niçin nasıl hangi hangisi hangileri kim kime kimdir kimin kimler kaç kaçıncı kaçta kaçtır nerede
    nereye nereden nerededir neresi neresidir neler neyi neye neyin neydi nelerdi kimdi kimi kimden kimlerdir hangisidir hangileridir
    nasıldır niye mı mi mu mü`,
  vi: `là gì ai nào đâu nhiêu mấy của và các những có được một ở đã với`,
}

const unspaced = `什么 甚么 什麼 甚麼 谁 誰 哪 哪个 哪個 哪些 哪里 哪裡 哪儿 何时 何時 何处 何處 如何 怎么 怎麼 怎样 怎樣 为什么 為什麼 为何 為何 多少
  多久 几 幾 吗 嗎 呢
  いつ どこ どの どれ どう どんな なぜ いくつ いくら か は が を に で と の も です ます
  อะไร ใคร ใด ไหน ที่ไหน เมื่อไร เมื่อไหร่ เมื่อใด อย่างไร ยังไง ทำไม เท่าไร เท่าไหร่ เท่าใด กี่ หรือ ไหม คือ เป็น ที่ ของ ใน และ มี ได้ ให้ กับ จาก โดย
  ว่า บ้าง`

const normalized = (word: string): string => word.normalize('NFKC').toLowerCase()
const setOf = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/).map(normalized))

/** By ISO 639-1 code. */
export const questionWords: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(spaced).map(([language, list]) => [language, setOf(list)]),
)

/** Those of Chinese, Japanese and Thai, as the dictionaries of ICU divide words. */
export const unspacedQuestionWords: ReadonlySet<string> = new Set(Array.from(setOf(unspaced), composed))
