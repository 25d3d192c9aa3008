import { wireId, type Proposal } from '@groundwork/api'
import { sellerName } from '../seller.ts'
import { isSigned, needsSeveral, signersOf } from '../signers/turns.ts'
import type { Formats } from './formats.ts'
import { foreign, html, type Html } from './html.ts'
import type { Visit } from './visit.ts'

/** Returns whether the visitor can sign or decline a pending proposal now. */
export const canAnswer = (visit: Visit): boolean => {
  const { role, status } = visitorOf(visit)
  return role === 'signer' && status !== 'signed' && status !== 'waiting'
}

/** Returns whether the visitor can still choose options and quantities, which the first signature fixes. */
export const canChoose = ({ proposal }: Pick<Visit, 'proposal'>): boolean => proposal.contentVersion !== 1 && !isSigned(proposal)

/** Returns why the visitor cannot answer a pending proposal; null if the visitor can. */
export function signingNotice(visit: Visit, { words: { page, language }, moment }: Formats): Html | null {
  const { role, status, signedAt } = visitorOf(visit)
  const waitingFor = (names: readonly string[]): string =>
    page.waitingFor(new Intl.ListFormat(language, { type: 'conjunction' }).format(names))
  const notice = (heading: string, ...texts: string[]): Html =>
    html`<div class="notice pending" role="status">
      <h2>${heading}</h2>
      ${texts.map((text) => html`<p dir="auto">${text}</p>`)}
    </div>`
  if (role === 'copy') return html`<p>${page.copyOnly}</p>`
  if (status === 'signed')
    return notice(page.youSigned.heading, page.youSigned.text(moment(new Date(signedAt ?? ''))), waitingFor(missingNames(visit)))
  return status === 'waiting' ? notice(page.notYourTurn, waitingFor(earlierNames(visit))) : null
}

/** Returns the signers with their states; null for a proposal that needs only one signature. */
export function signerList({ proposal, seller }: Pick<Visit, 'proposal' | 'seller'>, { words: { page } }: Formats): Html | null {
  if (!needsSeveral(proposal)) return null
  const row = (name: string, signedAt: string | null): Html =>
    html`<div>
      <dt>${foreign(name)}</dt>
      <dd>${signedAt === null ? page.notSigned : page.signed}</dd>
    </div>`
  return html`<h2>${page.signers}</h2>
    <dl class="facts">
      ${signersOf(proposal).map((signer) => row(nameOf(signer), signer.signedAt))}
      ${proposal.counterSignature ? row(sellerName(seller), proposal.counterSignedAt) : null}
    </dl>`
}

/** Returns the names of those who have not signed yet: signers in their order, and the seller last. */
export const missingNames = ({ proposal, seller }: Pick<Visit, 'proposal' | 'seller'>): string[] => [
  ...signersOf(proposal).flatMap((signer) => (signer.signedAt === null ? [nameOf(signer)] : [])),
  ...(proposal.counterSignature && proposal.counterSignedAt === null ? [sellerName(seller)] : []),
]

/** Returns the names of those who must sign before the visitor. */
function earlierNames(visit: Visit): string[] {
  const missing = signersOf(visit.proposal).filter(({ signedAt }) => signedAt === null)
  return missing.slice(0, missing.indexOf(visitorOf(visit))).map(nameOf)
}

export const nameOf = ({ name, email }: Proposal['recipients'][number]): string => name ?? email ?? '–'

const visitorOf = ({ proposal, recipient }: Visit): Proposal['recipients'][number] => {
  const visitor = proposal.recipients.find(({ id }) => id === wireId('rcp', recipient.id))
  if (visitor === undefined) throw new Error('the visitor is not a recipient of the proposal')
  return visitor
}
