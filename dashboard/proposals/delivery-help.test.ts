import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deliveryHelp, withheldReasons } from './delivery-help.ts'

test('explains each reason, and asks to check the address only if an email could not be delivered', () => {
  const help = (state: 'withheld' | 'failed', reason: string) => deliveryHelp({ state, reason })
  expect(help('withheld', 'do_not_contact')).toBe('doNotContact')
  expect(help('withheld', withheldReasons.noMailServer)).toBe('noMailServer')
  expect(help('withheld', withheldReasons.noAddress)).toBe('noAddress')
  expect(help('withheld', 'No email was sent to this recipient.')).toBe('notSent')
  expect(help('failed', '550 No such user')).toBe('notDelivered')
})

test('knows the reasons as the server writes them', () => {
  const server = readFileSync(new URL('../../server/proposals/mail/delivery.ts', import.meta.url), 'utf8')
  for (const reason of [withheldReasons.noMailServer, withheldReasons.noAddress]) expect(server).toContain(`'${reason}'`)
})
