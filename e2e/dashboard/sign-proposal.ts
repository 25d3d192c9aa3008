import type { Proposal } from '@groundwork/api'
import { expect } from 'vitest'

/** Signs a proposal as each of its signers, on their pages. @param url the URL of the server */
export async function signAsAll(url: string, { recipients, contentHash }: Proposal): Promise<void> {
  const body = new URLSearchParams({ name: 'Somebody', method: 'typed', consent: 'yes', contentHash: contentHash ?? '' })
  for (const { url: address, role } of recipients) {
    if (role !== 'signer' || address === null) continue
    const { status } = await fetch(`${url}${new URL(address).pathname}/accept`, { method: 'POST', body, redirect: 'manual' })
    expect(status).toBe(303)
  }
}
