import type { Certificate, ErasedCertificates } from './certificate.ts'
import type { CertificateCheck } from './certificate-check.ts'

/** The place of a certificate in the chain of its organization. */
export interface ChainLink {
  /** Name of the given file: the certificate, or the list of erased certificates. */
  readonly file: string
  readonly organization: Certificate['organization']
  readonly sequence: number
  /** SHA-256 of the certificate file, in hexadecimal. */
  readonly hash: string
  /** The `hash` of certificate `sequence - 1`; null for the first. */
  readonly previousHash: string | null
  readonly issuedAt: string
  readonly isErased: boolean
}

/** Returns the links of erased certificates. */
export const erasedLinks = (file: string, { organization, certificates }: ErasedCertificates): ChainLink[] =>
  certificates.map((each) => ({ ...each, file, organization, isErased: true }))

/**
 * Checks the chain of each organization from the first to the last given certificate. Sequence numbers must have no gaps or duplicates,
 * each certificate must contain the hash of the previous one, and times must not decrease. Files with the same content count once. An
 * erased certificate is checked by its link, unless its file is given. Erased certificates before the first or after the last given one
 * are ignored.
 * @returns for each organization, one failed check per fault; without faults, one passed check, or none if only one certificate is given
 */
export function checkChains(links: readonly ChainLink[]): CertificateCheck[] {
  const organizations = [...new Set(links.map(({ organization }) => organization.id))]
  return organizations.flatMap((id) => {
    const own = links.filter(({ organization }) => organization.id === id).toSorted((a, b) => a.sequence - b.sequence)
    const given = own.filter(({ isErased }) => !isErased)
    const [first = Infinity, last = -Infinity] = [given[0]?.sequence, given.at(-1)?.sequence]
    const between = own.filter(({ isErased, sequence }) => isErased && sequence > first && sequence < last)
    // A kept copy of an erased file replaces its link.
    const distinct = new Map([...between, ...given].map((link) => [link.hash, link]))
    return checkChain([...distinct.values()].toSorted((a, b) => a.sequence - b.sequence))
  })
}

function checkChain(chain: readonly ChainLink[]): CertificateCheck[] {
  const faults = chain.flatMap((link, index) => [...faultsOfPreviousHash(link), ...faultsBetween(chain[index - 1], link)])
  const [first, last] = [chain[0], chain.at(-1)]
  if (faults.length > 0 || first === undefined || last === undefined || first === last) return faults
  const erased = chain.filter(({ isErased }) => isErased).map(({ sequence }) => sequence)
  const without = erased.length === 0 ? '' : ` Erased, and known by hash only: ${erased.join(', ')}.`
  const detail = `Certificates ${first.sequence} to ${last.sequence} of ${first.organization.name} are complete and in order.${without}`
  return [{ file: null, check: 'chain', holds: true, detail }]
}

const fault = (file: string | null, detail: string): CertificateCheck => ({ file, check: 'chain', holds: false, detail })

function faultsOfPreviousHash({ file, sequence, previousHash }: ChainLink): CertificateCheck[] {
  if (sequence === 1 && previousHash !== null) return [fault(file, 'The first certificate refers to an earlier one.')]
  if (sequence > 1 && previousHash === null) return [fault(file, `Certificate ${sequence} does not refer to the one before it.`)]
  return []
}

function faultsBetween(before: ChainLink | undefined, it: ChainLink): CertificateCheck[] {
  if (before === undefined) return []
  const missing = it.sequence - before.sequence - 1
  if (missing === -1)
    return [
      fault(null, `${before.file} and ${it.file} are different, but both are certificate ${it.sequence}: only one of them can be right.`),
    ]
  if (missing === 1) return [fault(null, `Certificate ${it.sequence - 1} is missing.`)]
  if (missing > 1) return [fault(null, `Certificates ${before.sequence + 1} to ${it.sequence - 1} are missing.`)]
  return [
    ...(it.previousHash !== before.hash && it.previousHash !== null
      ? [fault(it.file, `Certificate ${it.sequence} does not contain the hash of certificate ${before.sequence} (${before.file}).`)]
      : []),
    ...(Date.parse(it.issuedAt) < Date.parse(before.issuedAt)
      ? [fault(it.file, `Certificate ${it.sequence} is dated ${it.issuedAt}, before certificate ${before.sequence} (${before.issuedAt}).`)]
      : []),
  ]
}
