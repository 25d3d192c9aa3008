import type { Certificate } from './certificate.ts'
import type { CertificateCheck } from './certificate-check.ts'

/** A certificate with the hash of its file. */
export interface ChainLink {
  readonly file: string
  readonly certificate: Certificate
  readonly hash: string
}

/**
 * Checks the chain of each organization: sequence numbers without gaps or duplicates, hashes of the previous certificate, and times
 * that never decrease. The first and the last given certificate bound what is checked. Files with the same content count once.
 * @returns one line for each fault, or one for an unbroken chain of several certificates
 */
export function checkChains(links: readonly ChainLink[]): CertificateCheck[] {
  const organizations = [...new Set(links.map(({ certificate }) => certificate.organization.id))]
  return organizations.flatMap((id) => {
    const distinct = new Map(links.filter(({ certificate }) => certificate.organization.id === id).map((link) => [link.hash, link]))
    return checkChain([...distinct.values()].toSorted((a, b) => a.certificate.sequence - b.certificate.sequence))
  })
}

function checkChain(chain: readonly ChainLink[]): CertificateCheck[] {
  const faults = chain.flatMap((link, index) => [...faultsOfStart(link), ...faultsBetween(chain[index - 1], link)])
  const [first, last] = [chain[0]?.certificate, chain.at(-1)?.certificate]
  if (faults.length > 0 || first === undefined || last === undefined || first === last) return faults
  const detail = `Certificates ${first.sequence} to ${last.sequence} of ${first.organization.name} are complete and in order.`
  return [{ file: null, check: 'chain', holds: true, detail }]
}

const fault = (file: string | null, detail: string): CertificateCheck => ({ file, check: 'chain', holds: false, detail })

function faultsOfStart({ file, certificate: { sequence, previousHash } }: ChainLink): CertificateCheck[] {
  if (sequence === 1 && previousHash !== null) return [fault(file, 'The first certificate refers to an earlier one.')]
  if (sequence > 1 && previousHash === null) return [fault(file, `Certificate ${sequence} does not refer to the one before it.`)]
  return []
}

function faultsBetween(previous: ChainLink | undefined, { file, certificate: it }: ChainLink): CertificateCheck[] {
  if (previous === undefined) return []
  const before = previous.certificate
  const missing = it.sequence - before.sequence - 1
  if (missing === -1)
    return [fault(null, `${previous.file} and ${file} are different, but both are certificate ${it.sequence}: one was inserted.`)]
  if (missing === 1) return [fault(null, `Certificate ${it.sequence - 1} is missing.`)]
  if (missing > 1) return [fault(null, `Certificates ${before.sequence + 1} to ${it.sequence - 1} are missing.`)]
  return [
    ...(it.previousHash !== previous.hash && it.previousHash !== null
      ? [fault(file, `Certificate ${it.sequence} was not issued after ${previous.file}: it contains the hash of another file.`)]
      : []),
    ...(Date.parse(it.issuedAt) < Date.parse(before.issuedAt)
      ? [fault(file, `Certificate ${it.sequence} is dated ${it.issuedAt}, before certificate ${before.sequence} (${before.issuedAt}).`)]
      : []),
  ]
}
