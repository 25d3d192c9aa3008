import iconv from 'iconv-lite'
import { expect, it } from 'vitest'
import { decodeText } from './decode.ts'

const texts: readonly (readonly [encodings: readonly string[], text: string])[] = [
  [['windows-1252', 'macintosh'], 'Die Leihgebühr für ein Fahrrad beträgt zwölf Euro täglich, auch für größere Räder.'],
  [
    ['windows-1252', 'macintosh'],
    'La location coûte dix euros par jour, à réserver d’abord à l’accueil, où la première heure est offerte.',
  ],
  [['windows-1252'], 'The “deposit” costs €50 — that’s all.'],
  [['windows-1252'], 'The shop’s keys'],
  [['windows-1252'], 'progressives d’ordre national et international'],
  [['windows-1252'], 'Keep the battery between 5 °C and 25 °C.'],
  [['windows-1252'], '© 2026, § 5: 50 µm, 1ª vez, £5'],
  [['windows-1252'], 'Ærø'],
  [['windows-1252'], 'Não há condições especiais. A caução é de cinquenta euros, e as informações estão à mão.'],
  [['windows-1252'], 'Hyran för cykeln är tio kronor per dag. Återlämning på måndag före klockan åtta.'],
  [['windows-1252'], 'Leiga á hjóli kostar þúsund krónur á dag og tryggingin er fimm þúsund krónur.'],
  [['windows-1250', 'iso-8859-2'], 'Opłata za wypożyczenie roweru wynosi pięćdziesiąt złotych dziennie.'],
  [['windows-1250', 'iso-8859-2'], 'Půjčovné za kolo je sto korun denně. Záloha je pět set korun.'],
  [
    ['windows-1250', 'iso-8859-2'],
    'Najam bicikla košta deset eura dnevno, a polog od pedeset eura vraća se pri povratku. Žao nam je, čekajte.',
  ],
  [
    ['windows-1250', 'iso-8859-2'],
    'Najem kolesa stane deset evrov na dan. Varščina znaša petdeset evrov in se vrne ob oddaji. Če zamujate, pokličite.',
  ],
  [['windows-1250', 'iso-8859-2'], 'Požičanie bicykla stojí desať eur na deň. Záloha je päťdesiat eur a vráti sa pri odovzdaní.'],
  [['windows-1250', 'iso-8859-2'], 'A kerékpár bérleti díja naponta ötezer forint. A letétet a visszahozatalkor őrizzük meg.'],
  [['windows-1254'], 'Bisiklet kirası günlük yüz liradır. Depozito beş yüz liradır ve şehir içinde geçerlidir.'],
  [['windows-1257'], 'Dviračio nuoma kainuoja dešimt eurų per dieną. Užstatas yra penkiasdešimt eurų.'],
  [['windows-1257'], 'Velosipēda noma maksā desmit eiro dienā. Drošības nauda ir piecdesmit eiro.'],
  [['windows-1257'], 'Jalgratta üür maksab kümme eurot päevas. Tagatisraha on viiskümmend eurot, mille saab tagastamisel kätte. Õnne.'],
  [['windows-1251', 'koi8-r', 'iso-8859-5'], 'Стоимость проката велосипеда тысяча рублей в день.'],
  [['windows-1251', 'koi8-u'], 'Прокат велосипеда коштує двісті гривень на день, і застава повертається після поїздки.'],
  [['windows-1253', 'iso-8859-7'], 'Η ενοικίαση ποδηλάτου κοστίζει είκοσι ευρώ την ημέρα.'],
  [['windows-1255'], 'דמי השכרת אופניים הם מאה שקלים ליום. הפיקדון הוא חמש מאות שקלים.'],
  [['windows-1256', 'iso-8859-6'], 'رسوم استئجار الدراجة مئة ريال في اليوم. التأمين خمسمئة ريال.'],
  [['windows-874'], 'ค่าเช่าจักรยานวันละสามร้อยบาท เงินมัดจำหนึ่งพันบาท'],
  [['shift_jis', 'euc-jp'], '自転車のレンタル料金は一日三千円です。保証金は一万円です。'],
  [['gb18030'], '自行车租赁费用为每天五十元。押金为五百元。营业时间为上午九点至下午六点。'],
  [['big5'], '自行車租賃費用為每天五十元。押金為五百元。營業時間為上午九點至下午六點。'],
  [['euc-kr'], '자전거 대여 요금은 하루에 이만 원입니다. 보증금은 오만 원입니다.'],
]

it.each(texts.flatMap(([encodings, text]) => encodings.map((encoding) => [encoding, text] as const)))('guesses %s: %s', (encoding, text) =>
  expect(decodeText(iconv.encode(text, encoding), null)).toBe(text),
)

it('guesses the encoding by the first letters beyond ASCII, however late they come', () => {
  const text = `${'The text of this page is plain. '.repeat(5_000)}Größe der Räder: für Fahrer über 1,80 m.`
  expect(decodeText(iconv.encode(text, 'windows-1252'), null)).toBe(text)
})
