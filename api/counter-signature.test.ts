import { expect, it } from 'vitest'
import { counterSignatureWording } from './counter-signature.ts'
import type { Proposal } from './proposals.ts'

const wording = (language: string | null, ofOrganization: string): string => {
  const recipients = [
    { role: 'copy', language: 'fr' },
    { role: 'signer', language },
  ] as Proposal['recipients']
  return counterSignatureWording({ recipients, totalAmount: '10.00', currency: 'EUR' }, ofOrganization)
}

it('the sentence is in the language of the first signer, or of the organization, or in English', () => {
  expect(wording(null, 'de')).toBe('Ich unterzeichne dieses Angebot für die Organisation über insgesamt 10.00 EUR.')
  expect(wording('es-MX', 'de')).toBe('Firmo este presupuesto en nombre de la organización, por un importe total de 10.00 EUR.')
  expect(wording('FR', 'de')).toBe('Je signe ce devis au nom de l’organisation, pour un montant total de 10.00 EUR.')
  for (const other of ['ja', 'constructor', '']) {
    expect(wording(other, 'de')).toBe('I sign this proposal for the organization, for a total of 10.00 EUR.')
  }
})
