import { Readable } from 'node:stream'
import { importEncodings, type ImportEncoding } from '@groundwork/api'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { guessEncoding } from '../lib/guess-encoding.ts'
import { guessFormat, readRows, type ImportedFile } from './read-rows.ts'

const polish = 'Imię,Nazwisko,E-mail\nŁukasz,Wiśniewski,l@example.com\nGrażyna,Żółć,g@example.com\n'
const russian = 'Имя;Фамилия;Почта\nИван;Петров;ivan@example.com\nМария;Иванова;maria@example.com\n'
const japanese = '名,姓,メール\n太郎,山田,taro@example.com\n花子,佐藤,hanako@example.com\n'

const files: readonly (readonly [ImportEncoding, string])[] = [
  ['windows-1252', 'Vorname;Nachname;E-Mail\nJörg;Groß;j@example.com\n'],
  ['windows-1252', 'Name;Ort\nMÜLLER GMBH;KÖLN\nÄnne Öztürk;Düsseldorf\n'],
  ['windows-1252', 'name,note\nRenée O’Brien,500 € – „dringend“\n'],
  ['windows-1252', 'Nombre,Apellidos\nJosé,Muñoz\nÁngel,Núñez Ibáñez\n'],
  ['windows-1252', 'Namn\nÅsa\nÅke\nÄngla\n'],
  ['windows-1252', 'Name\nÀ\n'],
  ['windows-1252', 'Nome;Città\nNiccolò;Forlì\nAnna Orrù;Cantù\n'],
  ['windows-1252', 'nom,poste\nGaël Lefèvre,Ingénieur 2ème étage\nLætitia Benoît,Œuvres\n'],
  ['windows-1252', 'name\nMüller\nHélène\nNicolò\nErnö\nSøren Kjær\nGonçalves\nGuimarães\n'],
  ['windows-1252', 'nafn\nGuðrún Þórsdóttir\nDavíð\n'],
  ['windows-1252', 'name,area\nBob,12 m² – 3 £\n'],
  ['windows-1250', 'jméno\nJiří Dvořák\nBožena Němcová\n'],
  ['iso-8859-2', 'jméno\nJiří Dvořák\nBožena Němcová\n'],
  ['windows-1250', 'név\nErdős Győző\nKovács István\n'],
  ['windows-1250', 'ime\nMarković\nŽarko Čović\n'],
  ['windows-1250', 'nume\nMădălina Ionaş\nBrăila\n'],
  ['windows-1250', polish],
  ['iso-8859-2', polish],
  ['windows-1250', 'name,note\nŁukasz,Proszę oddzwonić jutro rano i wysłać świąteczną umowę\n'],
  ['windows-1251', russian],
  ['koi8-r', russian],
  ['windows-1251', 'First Name,Last Name\nИван,Петров\n'],
  ['windows-1251', 'name,note\nИван,Просит перезвонить завтра утром и прислать договор\n'],
  ['koi8-u', "Ім'я;Прізвище\nІгор;Ковальчук\nЇжак;Лисенко\n"],
  ['iso-8859-5', russian],
  ['windows-1253', 'Όνομα,Επώνυμο\nΓιώργος,Παπαδόπουλος\nΜαρία,Νικολάου\n'],
  ['windows-1254', 'Ad,Soyad\nŞükrü,Yıldız\nAyşe,Çağlar\nGökhan,Öztürk\n'],
  ['windows-1255', 'שם,משפחה,אימייל\nדוד,כהן\nשרה,לוי\n'],
  ['windows-1251', 'name,note\nИван,просит перезвонить завтра\n'],
  ['windows-1256', 'الاسم,العائلة\nمحمد,الأحمد\nفاطمة,الزهراني\n'],
  ['iso-8859-6', 'الاسم,العائلة\nمحمد,الأحمد\nفاطمة,الزهراني\n'],
  ['windows-874', 'ชื่อ,นามสกุล\nสมชาย,ใจดี\nวิภา,แก้วมณี\n'],
  ['windows-1257', 'nimi\nPärtel Jõgi\nÜlle Šmidt\n'],
  ['windows-1257', 'Vardas,Pavardė\nŽygimantas,Šimkus\nRūta,Jonaitytė\n'],
  ['shift_jis', japanese],
  ['euc-jp', japanese],
  ['shift_jis', 'First Name,Last Name\n太郎,山田\n'],
  ['gb18030', 'name\n张伟\n王芳\n李娜\n刘洋\n'],
  ['gb18030', 'name,note\n王伟,请明天早上回电话,他想订购更多产品。\n'],
  ['big5', 'name\n張偉\n王芳\n李娜\n劉洋\n'],
  ['euc-kr', 'name\n김민준\n이서연\n'],
]

const fileOf = (...pieces: Buffer[]): ImportedFile => ({ storage: { open: async () => Readable.from(pieces) }, key: 'contacts.csv' })
const bytesOf = (bytes: Buffer): Buffer[] => Array.from(bytes, (byte) => Buffer.from([byte]))

async function rowsOf(file: ImportedFile, encoding: ImportEncoding | null): Promise<{ encoding: string | null; rows: string[][] }> {
  const format = await guessFormat(file, { encoding, delimiter: null })
  const rows: string[][] = []
  for await (const group of readRows(file, format)) rows.push(...group.map(({ cells }) => [...cells]))
  return { encoding: format.encoding, rows }
}

/** Texts that an encoding can write: all of Unicode, of Western Europe, or letters of its own. */
const ownLetters: Partial<Record<ImportEncoding, string>> = {
  'windows-1250': 'Łódź',
  'windows-1251': 'Їжак',
  'windows-1253': 'Άννα',
  'windows-1254': 'Işık',
  'windows-1255': 'שרה',
  'windows-1256': 'علي',
  'windows-1257': 'Rūta',
  'iso-8859-2': 'Łódź',
  'iso-8859-5': 'Иван',
  'iso-8859-6': 'علي',
  'iso-8859-7': 'Άννα',
  'koi8-r': 'Иван',
  'koi8-u': 'Їжак',
  'windows-874': 'สมชาย',
  shift_jis: '髙橋ソ能',
  'euc-jp': '山田',
  gbk: '张伟',
  gb18030: '张伟𠮷',
  big5: '張偉功',
  'euc-kr': '김민준',
}

describe('the encoding of a file', () => {
  it.each(files)('is guessed: %s of %j', (encoding, text) => expect(guessEncoding(iconv.encode(text, encoding))).toBe(encoding))

  it('is that of its first letters, however late they come', async () => {
    const bytes = iconv.encode(`name\n${'Ada\n'.repeat(20_000)}山田太郎\n佐藤花子\n㈱髙橋\n`, 'shift_jis')
    const { encoding, rows } = await rowsOf(fileOf(bytes.subarray(0, 80_000), ...bytesOf(bytes.subarray(80_000))), null)
    expect(encoding).toBe('shift_jis')
    expect(rows.slice(-3)).toEqual([['山田太郎'], ['佐藤花子'], ['㈱髙橋']])
  })

  it.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('is %s, with and without a byte order mark', async (encoding) => {
    for (const addBOM of [true, false]) {
      const bytes = iconv.encode('имя,email\nИван,ivan@example.com\n山田,𠮷@example.com\n', encoding, { addBOM })
      const read = await rowsOf(fileOf(...bytesOf(bytes)), null)
      expect(read).toEqual({ encoding, rows: [['имя', 'email'], ['Иван', 'ivan@example.com'], ['山田', '𠮷@example.com']] }) // prettier-ignore
    }
  })

  it.each(importEncodings)('can be given as %s, and its characters can arrive in parts', async (encoding) => {
    const text = ownLetters[encoding] ?? 'Zoë'
    const bytes = iconv.encode(`name,note\n${text},"${text}\n${text}"\n`, encoding)
    expect((await rowsOf(fileOf(...bytesOf(bytes)), encoding)).rows).toEqual([['name', 'note'], [text, `${text}\n${text}`]]) // prettier-ignore
  })
})
