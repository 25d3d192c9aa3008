import { stemmer as formerArabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as hindi } from '@orama/stemmers/indian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { stemArabic } from './arabic-stemmer.ts'

type Script = 'Latin' | 'Cyrillic' | 'Greek' | 'Arabic' | 'Armenian' | 'Devanagari' | 'Tamil'

/** The stemmer of a language. It applies to words of its script only. */
export interface Stemming {
  readonly stem: (word: string) => string
  readonly script: Script
  /** The stemmer of the former analysis, if it was another. */
  readonly former?: (word: string) => string
}

/** Returns the stem of a Greek word. The Snowball stemmer keeps the ι of some forms of a noun: "βιβλίο", "βιβλία". */
function stemGreek(word: string): string {
  const stem = greek(word)
  return stem.length > 3 ? stem.replace(/ι$/, '') : stem
}

export const stemming: ReadonlyMap<string, Stemming> = new Map<string, Stemming>([
  ['en', { stem: english, script: 'Latin' }],
  ['ar', { stem: stemArabic, former: formerArabic, script: 'Arabic' }],
  ['bg', { stem: bulgarian, script: 'Cyrillic' }],
  ['da', { stem: danish, script: 'Latin' }],
  ['de', { stem: german, script: 'Latin' }],
  ['el', { stem: stemGreek, former: greek, script: 'Greek' }],
  ['es', { stem: spanish, script: 'Latin' }],
  ['fi', { stem: finnish, script: 'Latin' }],
  ['fr', { stem: french, script: 'Latin' }],
  ['hi', { stem: hindi, script: 'Devanagari' }],
  ['hu', { stem: hungarian, script: 'Latin' }],
  ['hy', { stem: armenian, script: 'Armenian' }],
  ['id', { stem: indonesian, script: 'Latin' }],
  ['it', { stem: italian, script: 'Latin' }],
  ['lt', { stem: lithuanian, script: 'Latin' }],
  ['nl', { stem: dutch, script: 'Latin' }],
  ['no', { stem: norwegian, script: 'Latin' }],
  ['pt', { stem: portuguese, script: 'Latin' }],
  ['ro', { stem: romanian, script: 'Latin' }],
  ['ru', { stem: russian, script: 'Cyrillic' }],
  ['sv', { stem: swedish, script: 'Latin' }],
  ['ta', { stem: tamil, script: 'Tamil' }],
  ['tr', { stem: turkish, script: 'Latin' }],
  ['uk', { stem: ukrainian, script: 'Cyrillic' }],
])

const scripts: readonly [Script, RegExp][] = [
  ['Latin', /^\p{Script=Latin}/u],
  ['Cyrillic', /^\p{Script=Cyrillic}/u],
  ['Greek', /^\p{Script=Greek}/u],
  ['Arabic', /^\p{Script=Arabic}/u],
  ['Armenian', /^\p{Script=Armenian}/u],
  ['Devanagari', /^\p{Script=Devanagari}/u],
  ['Tamil', /^\p{Script=Tamil}/u],
]

/** The script that a word begins with, where one of the stemmers is for it. */
export function scriptOf(word: string): Script | undefined {
  const first = word.charCodeAt(0)
  if (first < 0x80) return (first | 0x20) >= 0x61 && (first | 0x20) <= 0x7a ? 'Latin' : undefined
  return scripts.find(([, pattern]) => pattern.test(word))?.[0]
}
