import { describe, expect, test } from 'vitest'
import { serverSentEvents, type ServerSentEvent } from './server-sent-events.ts'

const read = (...pieces: string[]): ServerSentEvent[] => pieces.flatMap(serverSentEvents())

describe('server-sent events', () => {
  test.each<[name: string, text: string, events: ServerSentEvent[]]>([
    ['an event', 'id: 1\nevent: a\ndata: x\n\n', [{ id: '1', event: 'a', data: 'x' }]],
    ['data of several lines, one of them empty', 'data: x\ndata:\ndata:  y\n\n', [{ id: '', event: 'message', data: 'x\n\n y' }]],
    ['a field without a colon or a space', 'data\n\ndata:x\n\n', ['', 'x'].map((data) => ({ id: '', event: 'message', data }))],
    ['comments and unknown fields are ignored', ':\n\n: alive\n\nretry: 5\nother: x\n\n', []],
    ['an event without data is dropped, but its id is kept', 'id: 7\nevent: a\n\ndata: x\n\n', [{ id: '7', event: 'message', data: 'x' }]],
    ['an id with NUL is ignored', 'id: 7\0\ndata: x\n\n', [{ id: '', event: 'message', data: 'x' }]],
    ['an id applies to later events', 'id: 7\ndata: x\n\ndata: y\n\n', ['x', 'y'].map((data) => ({ id: '7', event: 'message', data }))],
    ['an unfinished event at the end of the stream is dropped', 'data: x\n\ndata: y\n', [{ id: '', event: 'message', data: 'x' }]],
    [
      'a byte order mark at the start',
      '\uFEFFdata: x\n\ndata: \uFEFF\n\n',
      ['x', '\uFEFF'].map((data) => ({ id: '', event: 'message', data })),
    ],
  ])('%s', (_name, text, events) => {
    expect(read(text)).toEqual(events)
    for (const end of ['\r\n', '\r']) expect(read(text.replaceAll('\n', end))).toEqual(events)
  })

  test('chunk boundaries do not matter', () => {
    const text = ': hello\r\n\r\nid: 1\r\nevent: a\r\ndata: {"x":\r\ndata: "ä"}\r\n\r\n:\n\ndata: y\r\rdata: z\n\n'
    const whole = read(text)
    expect(whole.map(({ data }) => data)).toEqual(['{"x":\n"ä"}', 'y', 'z'])
    expect(read(...Array.from(text))).toEqual(whole)
    for (let first = 0; first <= text.length; first++) {
      expect(read(text.slice(0, first), text.slice(first))).toEqual(whole)
      for (let second = first; second <= text.length; second += 3)
        expect(read(text.slice(0, first), text.slice(first, second), text.slice(second))).toEqual(whole)
    }
  })

  test('an event is complete with its blank line, even if that ends with CR', () => {
    const take = serverSentEvents()
    expect(take('data: x\r\n\r')).toHaveLength(1)
    expect(take('\ndata: y\r\n\r\n')).toEqual([{ id: '', event: 'message', data: 'y' }])
  })
})
