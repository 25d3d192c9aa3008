import { bytes } from '../../lib/formats.ts'
import type { importMessages } from './messages.ts'

/** The limit of the API. */
const maxBytes = 100_000_000

/** Returns why a file cannot be imported; undefined if it may be. The server looks into it later. */
export function fileProblem({ name, size }: { name: string; size: number }, words: (typeof importMessages)['en']): string | undefined {
  if (/\.xls$/i.test(name)) return words.oldWorkbook(name)
  if (!/\.(?:csv|tsv|txt|xlsx)$/i.test(name)) return words.wrongType(name)
  if (size === 0) return words.emptyFile(name)
  return size > maxBytes ? words.tooLarge(name, bytes(size)) : undefined
}
