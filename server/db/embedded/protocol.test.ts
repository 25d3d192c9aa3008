import { expect, it } from 'vitest'
import { build, MessageReader, messages, query, quoteLiteral, typeOf } from './protocol.ts'
import { settingsKey, startupSettings, timeoutMs } from './settings.ts'

it('cuts messages wherever the chunks end', () => {
  const whole = Buffer.concat([query('select 1'), build('S'), query('x'.repeat(1000))])
  for (const size of [1, 3, 7, 100, 5000]) {
    const reader = new MessageReader()
    const seen: string[] = []
    for (let at = 0; at < whole.length; at += size) {
      reader.push(whole.subarray(at, at + size))
      for (let message = reader.next(); message !== null; message = reader.next()) seen.push(`${typeOf(message)}${message.length}`)
    }
    expect(seen).toEqual(['Q14', 'S5', 'Q1006'])
  }
  expect([...messages(whole)]).toHaveLength(3)
})

it('refuses an impossible length', () => {
  const reader = new MessageReader()
  reader.push(Buffer.from([0x51, 0, 0, 0, 1]))
  expect(() => reader.next()).toThrow(RangeError)
})

it('quotes literals', () => {
  expect(quoteLiteral("it's")).toBe("'it''s'")
  expect(quoteLiteral("a\\'")).toBe(" E'a\\\\'''")
})

it('reads the settings of a startup packet', () => {
  const body = Buffer.from(
    'user\0postgres\0options\0-c hnsw.ef_search=100 -csearch_path=a,\\ b --statement-timeout=5min\0application_name\0x\0TimeZone\0Asia/Tokyo\0\0',
  )
  const settings = startupSettings(Buffer.concat([Buffer.alloc(8), body]))
  expect(Object.fromEntries(settings)).toEqual({
    'hnsw.ef_search': '100',
    search_path: 'a, b',
    statement_timeout: '5min',
    timezone: 'Asia/Tokyo',
  })
  expect(timeoutMs('5min')).toBe(300_000)
  expect(timeoutMs('0')).toBe(Infinity)
  expect(timeoutMs('soon')).toBeUndefined()
  expect(
    settingsKey(
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
    ),
  ).toBe(
    settingsKey(
      new Map([
        ['b', '2'],
        ['a', '1'],
      ]),
    ),
  )
})
