import { expect, it } from 'vitest'
import { reasonsOf } from './source-reasons.ts'

const url = 'https://example.com'

it.each([
  ['a file', { status: 'completed', errorCode: null, url: undefined, storageUrl: 's' }, []],
  ['a page', { status: 'completed', errorCode: null, url, storageUrl: undefined }, ['sync']],
  ['a page that is processed', { status: 'processing', errorCode: null, url, storageUrl: undefined }, ['cancel']],
  ['a page whose last attempt failed', { status: 'completed', errorCode: 'fetch_failed', url, storageUrl: undefined }, ['retry', 'sync']],
  ['a video with an uploaded transcript', { status: 'failed', errorCode: 'no_transcript', url, storageUrl: 's' }, ['retry']],
] as const)('tells which actions are possible for %s', (_, source, possible) => {
  const reasons = Object.entries(reasonsOf(source as Parameters<typeof reasonsOf>[0]))
  expect(reasons.filter(([, reason]) => reason === undefined).map(([action]) => action)).toEqual(possible)
})
