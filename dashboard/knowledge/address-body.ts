import type { AddSource } from '@groundwork/api'
import { hasContentField, hasPages, type UrlSourceType } from '@groundwork/api/source-types'
import type { Source } from './records.ts'

/** The form values for adding a source by its URL. */
export interface Address {
  type: UrlSourceType
  url: string
  name: string
  language: string
  maxPages: number | string
  /** Glob patterns, one per line. */
  include: string
  exclude: string
  syncSchedule: string
}

export const emptyAddress: Address = {
  type: 'url',
  url: '',
  name: '',
  language: '',
  maxPages: 100,
  include: '',
  exclude: '',
  syncSchedule: 'never',
}

const schedules = ['hourly', 'daily', 'weekly'] as const

/** Returns the request body that adds the source. Omits fields that its type does not have. */
export function addressBody(address: Address): AddSource {
  const { type, language, maxPages } = address
  const url = completeUrl(address.url)
  const syncSchedule = schedules.find((known) => known === address.syncSchedule)
  const common = { url, name: address.name.trim() === '' ? nameOfAddress(url) : address.name.trim(), ...(syncSchedule && { syncSchedule }) }
  return {
    type,
    ...common,
    ...(hasContentField(type, 'language') && language.trim() !== '' && { language: language.trim() }),
    ...(hasPages(type) && { maxPages: Number(maxPages), include: linesOf(address.include), exclude: linesOf(address.exclude) }),
  }
}

/** Adds `https://` to a URL that was typed without a protocol, such as `example.com/manual`. */
export function completeUrl(typed: string): string {
  const url = typed.trim()
  return url === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Returns a default name: the URL without protocol, `www.` and trailing slash. */
export const nameOfAddress = (url: string): string =>
  url
    .trim()
    .replace(/^https?:\/\/(www\.)?/i, '')
    .replace(/[/?#]+$/, '')
    .slice(0, 200)

/** Returns what lists call a source: its page's title if it was added by its URL and without a name, else its name. */
export const sourceName = ({ name, url, title }: Pick<Source, 'name' | 'url' | 'title'>): string =>
  title !== null && title !== '' && url !== undefined && name === nameOfAddress(url) ? title : name
