import { describe, expect, it } from 'vitest'
import { mapRows, rowsOf, valuesOf } from './copy-text.ts'
import { reserveGenerations } from './generations.ts'
import { rowMapper } from './row-mapper.ts'

const [own, foreign, id] = [1, 2, 3].map((digit) => `01a21188-71dc-7704-af4b-00000000000${digit}`) as [string, string, string]
// The reserved numbers arrive in any order.
const generations = await reserveGenerations({ query: async <Row>() => [{ g: '902' }, { g: '901' }] as Row[] }, ['7', '30'])
const map = (table: string, columns: readonly string[], values: string[]): string[] =>
  rowMapper(table, columns, { organizationId: own, generations, users: new Map([[id, foreign]]) })(values)

describe('the rows of an export', () => {
  it('get other numbers of indexing attempts in the same order, also in keys of files', () => {
    const columns = ['organization_id', 'generation', 'original_key', 'content_key']
    const keys = [`${own}/originals/${id}-7`, `${own}/contents/${id}-30-2.json`]
    expect(map('document', columns, [own, '30', ...keys])).toEqual([
      own,
      '902',
      `${own}/originals/${id}-901`,
      `${own}/contents/${id}-902-2.json`,
    ])
    expect(map('source_page', ['organization_id', 'part', 'content_key'], [own, String.raw`\N`, `${own}/pages/${id}-7.json`])).toEqual([
      own,
      String.raw`\N`,
      `${own}/pages/${id}-901.json`,
    ])
  })

  it('keep keys without such a number, and all other values', () => {
    for (const key of [`${own}/originals/${id}`, `${own}/files/${id}-1234567890123456`])
      expect(map('upload', ['organization_id', 'storage_key', 'size_bytes'], [own, key, '7'])).toEqual([own, key, '7'])
  })

  it('name the users of the target', () => {
    expect(map('proposal', ['organization_id', 'id', 'sent_by'], [own, id, id])).toEqual([own, id, foreign])
  })

  it.each([
    ['a row of another organization', 'contact', ['organization_id'], [foreign], 'a row of another organization'],
    ['another organization', 'organization', ['id'], [foreign], 'a row of another organization'],
    [
      'the file of another organization',
      'upload',
      ['organization_id', 'storage_key'],
      [own, `${foreign}/originals/${id}`],
      'the file of another',
    ],
    ['an unknown indexing attempt', 'chunk', ['organization_id', 'generation'], [own, '8'], 'an unknown indexing attempt: 8'],
    ['one in a key', 'document', ['organization_id', 'original_key'], [own, `${own}/originals/${id}-8`], 'an unknown indexing attempt'],
    ['missing columns', 'contact', ['organization_id', 'id'], [own], 'a row with 1 instead of 2 columns'],
  ])('are refused with %s', (_, table, columns, values, message) => {
    expect(() => map(table, columns, values)).toThrow(message)
  })

  it('keep bytes and escapes of other values', () => {
    const rows = Buffer.from('a\\tb\\\\N\tünïcödé 😀\t\\N\nx\\n\t\t1\n')
    expect(mapRows(rows, (values) => values).equals(rows)).toBe(true)
    expect(rowsOf(valuesOf(rows)).equals(rows)).toBe(true)
    expect(mapRows(rows, ([first = '', ...others]) => [first, ...others.slice(1), 'z']).toString()).toBe('a\\tb\\\\N\t\\N\tz\nx\\n\t1\tz\n')
  })
})
