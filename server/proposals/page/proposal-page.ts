import type { Proposal, ProposalItem } from '@groundwork/api'
import { sellerColor, sellerName } from '../seller.ts'
import { counterSignatureOf } from '../signers/counter-signature.ts'
import { signersOf } from '../signers/turns.ts'
import { lineInputs } from './choices.ts'
import { detailSeparator, lineAmount, lineDetails, totalList } from './figures.ts'
import { figureFormats, type Formats } from './formats.ts'
import { alertOf } from './alert.ts'
import { answerForms, untouched, viewForm, type FormState } from './forms.ts'
import { foreign, html, paragraphs, trusted, type Html } from './html.ts'
import { layout } from './layout.ts'
import { questionSection } from './questions.ts'
import { sections } from './sections.ts'
import { canAnswer, canChoose, signerList, signingNotice } from './signing.ts'
import type { Visit } from './visit.ts'

/** Returns the page of a proposal. A withdrawn proposal shows no content. */
export function proposalPage(
  visit: Visit,
  formats: Formats,
  { form = untouched, countsViews = true, hasScript = true }: { form?: FormState; countsViews?: boolean; hasScript?: boolean } = {},
): string {
  const { proposal, seller, recipient, ctx } = visit
  const { words } = formats
  const state = shownState(proposal, ctx.now())
  const answerable = state === 'pending' && canAnswer(visit)
  const counted = state === 'pending' && countsViews
  const unseen = counted && recipient.first_viewed_at === null
  const body = html`<header>${letterhead(visit, formats)}</header>
<main${counted ? html` data-view="/p/${visit.secret}/view"` : null}>
<p class="kind">${words.page.from(sellerName(seller))}</p>
<h1>${foreign(proposal.title)}</h1>
${answerable ? null : alertOf([...form.errors, ...(form.question?.errors ?? [])])}
${proposal.supersededBy === null ? null : newerVersion(visit, formats)}
${notice(visit, state, formats)}
${state === 'pending' ? signingNotice(visit, formats) : null}
${state === 'voided' ? null : content(visit, formats, answerable && canChoose(visit))}
${state === 'voided' ? null : html`${signerList(visit, formats)}${signatures(visit, formats)}`}
${state === 'voided' ? null : html`<p><a href="/p/${visit.secret}/pdf">${words.page.downloadPdf}</a></p>`}
${unseen ? viewForm(visit, formats) : null}
${answerable ? answerForms(visit, formats, form) : null}
${state === 'voided' ? null : questionSection({ ...visit, form: answerable ? (form.question ?? { errors: [], text: '' }) : null }, formats)}
</main>`
  const title = words.page.title(proposal.title, sellerName(seller))
  return layout({ words, title, color: sellerColor(seller), body, script: hasScript && state === 'pending' })
}

/** The service marks a proposal as expired shortly after `expiresAt`. The page and the forms know it at once. */
export const shownState = ({ status, expiresAt }: Proposal, now: Date): Proposal['status'] =>
  status === 'pending' && expiresAt !== null && new Date(expiresAt) <= now ? 'expired' : status

function letterhead({ seller, secret }: Visit, { words }: Formats): Html {
  const { address, tax_id, logo } = seller
  return html`${logo === null ? null : html`<img class="logo" src="/p/${secret}/logo" width="${logo.width}" height="${logo.height}" alt="" />`}
    <p class="seller">${foreign(sellerName(seller))}</p>
    ${address === null ? null : html`<p class="text" dir="auto">${address}</p>`}
    ${tax_id === null ? null : html`<p>${words.document.taxId}: ${foreign(tax_id)}</p>`}`
}

/** Tells that a newer version replaces the proposal, with a link for its recipients. */
function newerVersion({ newerUrl }: Visit, { words }: Formats): Html {
  const { heading, text, link } = words.page.superseded
  return html`<div class="notice" role="status">
    <h2>${heading}</h2>
    <p>${text}</p>
    ${newerUrl === null ? null : html`<p><a href="${newerUrl}">${link}</a></p>`}
  </div>`
}

function notice({ proposal }: Visit, state: Proposal['status'], { words, moment }: Formats): Html | null {
  const { page } = words
  const tell = ({ heading, text }: { heading: string; text: (moment: string) => string }, at: string | null): Html =>
    html`<div class="notice ${state}" role="status">
      <h2>${heading}</h2>
      <p>${at === null ? '' : text(moment(new Date(at)))}</p>
    </div>`
  if (state === 'completed') return tell(page.accepted, proposal.completedAt)
  if (state === 'rejected') return tell(page.declined, proposal.rejectedAt)
  if (state === 'expired') return tell(page.expired, proposal.expiresAt)
  return state === 'voided' && proposal.supersededBy === null ? tell(page.voided, proposal.voidedAt) : null
}

function content({ proposal, secret }: Visit, formats: Formats, answerable: boolean): Html {
  const { words, date } = formats
  const { document } = words
  const [recipient] = signersOf(proposal)
  const row = (label: string, value: Html | null): Html | null =>
    value &&
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`
  const onDay = (at: string | null): Html | null => (at === null ? null : html`${date(new Date(at))}`)
  const offer = html`${proposal.items.length === 0 ? null : lines(proposal, formats, answerable)}
    <dl class="totals">${totalList(proposal, figureFormats(formats))}</dl>`
  return html`<dl class="facts">
      ${row(document.number, proposal.number === null ? null : html`${proposal.number}`)}
      ${row(document.recipient, recipient?.name == null ? null : foreign(recipient.name))} ${row(document.date, onDay(proposal.sentAt))}
      ${row(document.validUntil, proposal.expiresAt === null ? null : html`${formats.expiry(new Date(proposal.expiresAt))}`)}
    </dl>
    ${proposal.message === null ? null : paragraphs(proposal.message)} ${sections(proposal, { formats, secret, offer })}`
}

const lines = ({ items, pricesIncludeTax, contentVersion }: Proposal, formats: Formats, answerable: boolean): Html =>
  html`<h2>${formats.words.document.lines}</h2>
    <ul class="lines">
      ${items.map((item, index) =>
        line(
          item,
          lineAmount(item, pricesIncludeTax),
          formats,
          answerable && contentVersion !== 1 ? lineInputs(items, index, formats) : null,
        ),
      )}
    </ul>`

/** @param value the amount of the line: without tax, or with it if prices include tax */
function line(item: ProposalItem, value: string, formats: Formats, inputs: Html | null): Html {
  const details = [
    ...lineDetails(item, figureFormats(formats)),
    ...(item.optional && inputs === null ? [optionState(item, formats.words.document)] : []),
  ]
  return html`<li>
    <p class="text" dir="auto">${item.description}</p>
    <p class="details" dir="auto">${details.join(detailSeparator)}</p>
    <p class="amount">${formats.amount(value)}</p>
    ${inputs}
  </li>`
}

const optionState = ({ preselected }: ProposalItem, { optional, chosen, notChosen }: Formats['words']['document']): string =>
  `${optional}: ${(preselected ? chosen : notChosen).toLowerCase()}`

/** The drawings were made by `drawingToSvg`. */
function signatures({ signatures: ofSigners, proposal, seller }: Visit, { words, moment }: Formats): Html | null {
  const given = [...ofSigners, ...counterSignatureOf(proposal, seller)]
  if (given.length === 0) return null
  return html`<h2>${words.document.signatures}</h2>
    ${given.map(
      ({ name, drawing, signed_at }) =>
        html`<div class="signature">
          ${drawing === null ? html`<p class="typed">${foreign(name)}</p>` : html`<div class="drawn" role="img" aria-label="${name}">${trusted(drawing)}</div>`}
          <p>${words.document.signedBy(name, moment(new Date(signed_at)))}</p>
        </div>`,
    )}`
}
