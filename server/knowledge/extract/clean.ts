import type { Block } from './document.ts'

// Control characters, soft hyphens, zero-width and bidirectional marks, interlinear annotation, tag characters, noncharacters.
// The zero-width joiners (200C, 200D) stay where Persian and Indic spelling and emoji need them.
const invisible =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\uFFFE\uFFFF]|[\u{E0000}-\u{E0FFF}]/gu

// After letters of these scripts, joiners only divide a word: for ligatures, line breaks or tracking.
const strayJoiners =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Nd}])[\u034F\u200C\u200D]+/gu

const plain = /^[\t\n\u0020-\u007E]*$/

/** Normalizes text: NFC, one kind of line end, no invisible characters, no NUL, no lone surrogates. */
export function cleanText(text: string): string {
  // Most cells of a table are plain, and a table can have millions of them.
  if (plain.test(text)) return text
  return text
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, '\n')
    .replace(invisible, '')
    .replace(strayJoiners, '')
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .normalize('NFC')
}

/** Returns text as one line, with white space as single spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}

/** Returns a block's text without empty lines (except in code) and trimmed, so that spans are tight. */
export function cleanBlock(text: string, kind: Block['kind']): string {
  const clean = cleanText(text)
  if (kind === 'code') return clean.replace(/[^\S\n]+$/gm, '').replace(/^\s*\n|\s+$/g, '')
  if (kind === 'table') return clean.trim()
  const indent = kind === 'list' ? /([^\s])[^\S\n]+/g : /()[^\S\n]+/g
  return clean
    .replace(indent, '$1 ')
    .replace(/ *\n\s*\n */g, '\n')
    .replace(/ +$/gm, '')
    .trim()
}
