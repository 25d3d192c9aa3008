import { expect, it } from 'vitest'
import { createLog, terminalLine } from './log.ts'

const onTerminal = (hasColors = false): { lines: string[]; log: ReturnType<typeof createLog> } => {
  const lines: string[] = []
  return { lines, log: createLog('info', { isTTY: true, write: (text) => lines.push(text), hasColors: () => hasColors }) }
}

it('the log on a terminal has short lines', () => {
  const { lines, log } = onTerminal()
  log.debug('not logged')
  log.info({ method: 'GET', path: '/v1/contacts', status: 200, note: 'two words', none: null }, 'request')
  log.child({ requestId: 'req_1' }).warn('slow')
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d/, '09:30:00'))).toEqual([
    '09:30:00 INFO  request method=GET path=/v1/contacts status=200 note="two words" none=null\n',
    '09:30:00 WARN  slow requestId=req_1\n',
  ])
})

it('the log on a terminal shows the stack of an error below its line', () => {
  const { lines, log } = onTerminal()
  log.error({ err: new TypeError('the answer is missing') }, 'a job failed')
  expect(lines.join('')).toMatch(/^\S+ ERROR a job failed\nTypeError: the answer is missing\n +at .*log\.test\.ts/)
})

it('the log on a terminal has colors if the terminal has them, and no control characters of values', () => {
  const { lines, log } = onTerminal(true)
  log.info('ready')
  expect(lines[0]).toContain('\u001B[32mINFO \u001B[0m ready')
  const line = JSON.stringify({ level: 30, time: '2026-01-02T03:04:05.678Z', msg: 'a\u001B[2Jb', name: 'c\u009Bd' })
  expect(terminalLine(line, false)).toBe('03:04:05 INFO  a\uFFFD[2Jb name=c\uFFFDd\n')
})
