import forge from 'node-forge'
import { expect, it } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { pageClient, sendProposalTo } from '../../testing/proposal-page.ts'

let time = new Date('2026-03-02T09:30:00.000Z')
const { app, organization } = await testApp({ now: () => time })

/** Returns the certificate and the time of the signature that seals a PDF. */
function sealOf(pdf: Buffer): { notBefore: Date; notAfter: Date; signedAt: string } {
  const text = pdf.toString('latin1')
  const contents = /\/Contents <([\da-f]+)>/i.exec(text.slice(text.lastIndexOf('/ByteRange')))?.[1] ?? ''
  const padded = Buffer.from(contents, 'hex')
  // The signature is shorter than its place. Its length follows two bytes.
  const der = padded.subarray(0, 4 + padded.readUInt16BE(2)).toString('latin1')
  const message = forge.pkcs7.messageFromAsn1(forge.asn1.fromDer(der))
  const [certificate] = 'certificates' in message ? message.certificates : []
  if (certificate === undefined) throw new Error('the seal has no certificate')
  return { ...certificate.validity, signedAt: /\/M \((D:\d{14})/.exec(text)?.[1] ?? '' }
}

it('a proposal whose PDF is made days after its acceptance is sealed within the validity of the certificate', async () => {
  const caller = await organization()
  const sent = [await sendProposalTo(caller), await sendProposalTo(caller)]
  for (const proposal of sent) {
    await pageClient(app).accept(proposal)
    time = new Date(time.getTime() + 60_000)
  }
  time = new Date('2026-03-09T12:00:00.000Z')
  const headers = { authorization: `Bearer ${caller.token}` }
  const [first, second] = await Promise.all(
    sent.map(async ({ id }) => sealOf((await app.inject({ url: `/v1/proposals/${id}/pdf`, headers })).rawPayload)),
  )
  expect(first).toMatchObject({ notBefore: new Date('2026-03-02T09:30:00.000Z'), signedAt: 'D:20260302093000' })
  expect(second).toMatchObject({ notBefore: first?.notBefore, signedAt: 'D:20260302093100' })
})
