import { canonicalJson } from '@groundwork/sdk/canonical-json'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { issueCertificate, type Acceptance, type IssuedCertificate } from '../certificates/issue.ts'
import type { Caller } from './app.ts'

/** Creates a pending proposal. Returns its id without prefix. */
export async function pendingProposal({ call }: Caller, title = 'Three days of bicycles'): Promise<string> {
  const contact = await call('POST', '/v1/contacts', { email: 'ada@example.com' })
  const { body } = await call('POST', '/v1/proposals', { title, contactId: contact.body.id, totalAmount: '1260.00', currency: 'EUR' })
  return body.id.slice(-36)
}

/** Returns the acceptance of a proposal by one signer. */
export function acceptanceOf(proposalId: string, changes: Partial<Acceptance> & { content?: object } = {}): Acceptance {
  const { content = { title: 'Three days of bicycles', currency: 'EUR', totalAmount: '1260.00' }, ...others } = changes
  const canonicalContent = canonicalJson(content)
  return {
    proposalId,
    canonicalContent,
    contentHash: createHash('sha256').update(canonicalContent).digest('hex'),
    signers: [
      {
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        method: 'typed',
        wording: 'I accept this offer.',
        signedAt: '2026-05-25T20:14:00.000Z',
        address: '192.0.2.7',
        userAgent: 'Test',
      },
    ],
    issuedAt: new Date('2026-05-25T20:14:00.000Z'),
    ...others,
  }
}

/** Issues a certificate in a transaction of its own. */
export const issueAlone = ({ ctx }: Caller, acceptance: Acceptance): Promise<IssuedCertificate> =>
  ctx.db.transaction(ctx.organizationId, (trx) => issueCertificate(ctx, trx, acceptance))

/** Returns whether the Ed25519 signature of the file is valid under the public key that it contains, by Node's own cryptography. */
export function isSigned(json: string): boolean {
  const { certificate, signature } = JSON.parse(json)
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: certificate.publicKey }, format: 'jwk' })
  const signed = json.slice('{"certificate":'.length, -`,"signature":"${signature}"}`.length)
  return verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64url'))
}
