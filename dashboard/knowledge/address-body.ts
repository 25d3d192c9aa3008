import type { AddSource } from '@groundwork/api'

/** What is typed to add a web page, a site or a video. */
export interface Address {
  type: 'url' | 'scrape' | 'youtube'
  url: string
  name: string
  language: string
  maxPages: number | string
  /** Globs, one a line. */
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

/** The request of Add source; what does not go with the kind is left out. */
export function addressBody(address: Address): AddSource {
  const { type, language, maxPages } = address
  const url = address.url.trim()
  const syncSchedule = schedules.find((one) => one === address.syncSchedule)
  return {
    type,
    url,
    name: address.name.trim() === '' ? nameOfAddress(url) : address.name.trim(),
    ...(syncSchedule && { syncSchedule }),
    ...(type === 'youtube' && language.trim() !== '' && { language: language.trim() }),
    ...(type === 'scrape' && {
      maxPages: Number(maxPages),
      include: linesOf(address.include),
      exclude: linesOf(address.exclude),
    }),
  }
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Without its protocol and what says nothing. */
export const nameOfAddress = (url: string): string =>
  url
    .trim()
    .replace(/^https?:\/\/(www\.)?/i, '')
    .replace(/[/?#]+$/, '')
    .slice(0, 200)
