import { maxQuestionLength } from '@groundwork/api'
import { z } from 'zod'
import type { FileResponse } from '../../handlers.ts'
import { directionControls } from '../../lib/direction-controls.ts'
import { AppError } from '../../lib/errors.ts'
import type { Choices } from '@groundwork/api/choices'
import { getLogo } from '../../organizations/logo.ts'
import { acceptProposal, declineProposal } from '../answer.ts'
import { chosenOffer, requireAcceptable } from '../chosen-offer.ts'
import type { ProposalServices } from '../context.ts'
import { getProposalPdf } from '../pdf/pdf-file.ts'
import { askQuestion } from '../questions/ask.ts'
import { getProposalFile } from '../sections/proposal-file.ts'
import { isSigned } from '../signers/turns.ts'
import { createOpenings, recordView, type ViewerKind } from '../view.ts'
import { wordsOf } from '../words/words.ts'
import { choicesOf } from './choices.ts'
import { drawingToSvg } from './drawing.ts'
import { createFormats } from './formats.ts'
import { consentWording, untouched, wordingHash, type FormState } from './forms.ts'
import { messagePage } from './layout.ts'
import { createPageCache } from './page-cache.ts'
import { proposalPage } from './proposal-page.ts'
import { isRobot } from './robots.ts'
import { linkedProposalOf, openLink, rowVersionsOf, verifyLink, type Link, type LinkedProposal, type Visit, type Visitor } from './visit.ts'

/** A page, or the path of the page to go on to. */
export type PageResponse = { readonly status: number; readonly html: string } | { readonly redirect: string }

/** The public pages of proposals. Each function takes the last part of a link. */
export interface ProposalPages {
  /** Returns the page. Changes nothing about the proposal; programs are listed as such. */
  readonly show: (secret: string, visitor: Visitor, options: { isPrefetch: boolean }) => Promise<PageResponse>
  /** Counts a view, which the script or a person confirms. */
  readonly confirmView: (secret: string, visitor: Visitor) => Promise<PageResponse>
  /** Returns the page with the totals of other choices. Changes nothing. */
  readonly choose: (secret: string, visitor: Visitor, form: URLSearchParams) => Promise<PageResponse>
  readonly accept: (secret: string, visitor: Visitor, form: URLSearchParams) => Promise<PageResponse>
  readonly decline: (secret: string, visitor: Visitor, form: URLSearchParams) => Promise<PageResponse>
  readonly ask: (secret: string, visitor: Visitor, form: URLSearchParams) => Promise<PageResponse>
  /** Returns the PDF of the proposal. */
  readonly pdf: (secret: string, visitor: Visitor) => Promise<FileResponse>
  /** Returns an image or an attached PDF of the proposal. */
  readonly file: (secret: string, visitor: Visitor, sha256: string) => Promise<FileResponse>
  /** Returns the logo of the seller. */
  readonly logo: (secret: string, visitor: Visitor) => Promise<FileResponse>
  /** Returns the page about a request that failed. */
  readonly failed: (error: AppError, status: number, language: string | undefined) => PageResponse
}

const contentHash = z.string().max(100)
const AcceptForm = z.object({
  name: z.string().transform((name) => name.replace(/\s+/g, ' ').trim()),
  method: z.enum(['typed', 'drawn']).catch('typed'),
  drawing: z.string().catch(''),
  consent: z.string().optional(),
  contentHash,
})
const DeclineForm = z.object({ reason: z.string().transform(withPlainBreaks).pipe(z.string().trim().max(500)).catch(''), contentHash })

/** Maximum size of the pages that a process keeps. */
const maxCachedBytes = 16_000_000
/** A page is rendered again after this time, even if its rows have not changed. */
const maxCachedMs = 60_000

export function createProposalPages(services: ProposalServices): ProposalPages {
  const formatsOf = createFormats()
  const recordOpening = createOpenings()
  const cache = createPageCache(maxCachedBytes)

  const requireLink = (secret: string, visitor: Visitor): Link => orNoSuchLink(verifyLink(services, secret, visitor))
  const visitOf = async (secret: string, visitor: Visitor): Promise<Visit> => orNoSuchLink(await openLink(requireLink(secret, visitor)))

  const requireFiles = async (secret: string, visitor: Visitor): Promise<LinkedProposal> => {
    const linked = orNoSuchLink(await linkedProposalOf(requireLink(secret, visitor)))
    if (linked.status === 'voided') throw new AppError('not_found', 'A withdrawn proposal has no files.')
    return linked
  }

  /** Returns the page without a form that was sent. Renders it only if its rows have changed since the last time. */
  const rendered = async (link: Link, options: { countsViews: boolean }): Promise<string> => {
    const nowMs = link.ctx.now().getTime()
    const key = `${link.secret} ${options.countsViews}`
    const cached = cache.get(key, nowMs)
    if (cached !== undefined && cached.rows === (await rowVersionsOf(link))) return cached.html
    const visit = orNoSuchLink(await openLink(link))
    const html = proposalPage(visit, formatsOf(visit), options)
    // A replaced proposal shows a link to the newest version, whose rows are not among the compared ones.
    if (visit.proposal.supersededBy === null)
      cache.set(key, { html, rows: visit.rowVersions, from: nowMs, until: validUntil(visit, nowMs) })
    return html
  }

  const shown = (visit: Visit, form: FormState = untouched, status = 200): PageResponse => ({
    status,
    html: proposalPage(visit, formatsOf(visit), { form }),
  })

  /** Returns the page after an answer. If somebody else was faster, it shows the state that the proposal has now. */
  const answered = async (visit: Visit, visitor: Visitor, answer: () => Promise<unknown>): Promise<PageResponse> => {
    try {
      await answer()
      return { redirect: `/p/${visit.secret}` }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error
      const { words } = formatsOf(visit)
      // The page itself says that the visitor has signed or must wait.
      const errors =
        error.field === 'recipients' ? [] : [error.field === 'contentHash' ? words.page.contentChanged : words.page.alreadyDecided]
      return shown(await visitOf(visit.secret, visitor), { ...untouched, errors }, 409)
    }
  }

  return {
    async show(secret, visitor, { isPrefetch }) {
      const link = requireLink(secret, visitor)
      const viewer = viewerOf(link, visitor)
      const kind = isPrefetch ? 'robot' : viewer.kind
      const html = await rendered(link, { countsViews: kind !== 'sender' })
      if (kind !== 'person') await recordOpening(link.ctx, { ...viewer, kind })
      return { status: 200, html }
    },
    async confirmView(secret, visitor) {
      const link = requireLink(secret, visitor)
      orNoSuchLink(await linkedProposalOf(link))
      await recordView(link.ctx, viewerOf(link, visitor))
      return { redirect: `/p/${secret}` }
    },
    async choose(secret, visitor, form) {
      const visit = await visitOf(secret, visitor)
      const chosen = withChoices(visit, choicesOf(form))
      const name = form.get('name')?.slice(0, maxNameLength) ?? ''
      if (chosen === undefined) return shown(visit, { ...untouched, errors: [formatsOf(visit).words.page.choiceInvalid], name }, 422)
      return shown(chosen, { ...untouched, name })
    },
    async accept(secret, visitor, form) {
      const offered = await visitOf(secret, visitor)
      const formats = formatsOf(offered)
      const choices = choicesOf(form)
      const chosen = withChoices(offered, choices)
      const visit = chosen ?? offered
      const parsed = AcceptForm.safeParse(Object.fromEntries(form))
      const { name = '', method, drawing = '', consent, contentHash: hash = '' } = parsed.data ?? {}
      const shownWording = form.get('wordingHash')
      if (shownWording !== null && shownWording !== wordingHash(offered, formats))
        return shown(visit, { ...untouched, errors: [formats.words.page.contentChanged], name: name.slice(0, maxNameLength) }, 409)
      const svg = method === 'drawn' ? (drawingToSvg(drawing) ?? null) : null
      const { nameMissing, consentMissing, drawingMissing, choiceMissing, choiceInvalid, totalChanged } = formats.words.page
      // Without the script, the page shows the total of the choices only after they were sent.
      const isStale = !isSigned(offered.proposal) && (form.get('total') ?? offered.proposal.totalAmount) !== visit.proposal.totalAmount
      const errors = [
        ...(chosen === undefined ? [choiceInvalid] : !isAcceptable(chosen) ? [choiceMissing] : isStale ? [totalChanged] : []),
        ...(isName(name) ? [] : [nameMissing]),
        ...(method === 'drawn' && svg === null ? [drawingMissing] : []),
        ...(consent === 'yes' ? [] : [consentMissing]),
      ]
      if (errors.length > 0) return shown(visit, { errors, name: name.slice(0, maxNameLength), reason: '' }, 422)
      const signature = { name, drawing: svg, wording: consentWording(visit, formats), contentHash: hash, choices }
      const client = { address: visitor.address, userAgent: visitor.userAgent?.slice(0, maxUserAgentLength) ?? null }
      return answered(visit, visitor, () => acceptProposal(visit.ctx, visit.recipient.id, signature, client))
    },
    async decline(secret, visitor, form) {
      const visit = await visitOf(secret, visitor)
      const { reason = '', contentHash: hash = '' } = DeclineForm.safeParse(Object.fromEntries(form)).data ?? {}
      const given = storable(reason)
      const answer = { reason: given === '' ? null : given, contentHash: hash }
      return answered(visit, visitor, () => declineProposal(visit.ctx, visit.recipient.id, answer))
    },
    async ask(secret, visitor, form) {
      const visit = await visitOf(secret, visitor)
      const { questionMissing, questionRefused } = formatsOf(visit).words.page
      const text = withPlainBreaks(storable(form.get('question') ?? '')).trim()
      const refused = (shownVisit: Visit, error: string, status: number): PageResponse =>
        shown(shownVisit, { ...untouched, question: { errors: [error], text: text.slice(0, maxQuestionLength) } }, status)
      if (text === '' || text.length > maxQuestionLength) return refused(visit, questionMissing, 422)
      try {
        await askQuestion(visit.ctx, visit.recipient.id, text)
        return { redirect: `/p/${secret}#questions` }
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'conflict') throw error
        return refused(await visitOf(secret, visitor), questionRefused, 409)
      }
    },
    async pdf(secret, visitor) {
      const { ctx, proposalId } = await requireFiles(secret, visitor)
      return getProposalPdf(ctx, proposalId)
    },
    async file(secret, visitor, sha256) {
      const { ctx, proposalId } = await requireFiles(secret, visitor)
      return getProposalFile(ctx, proposalId, sha256)
    },
    async logo(secret, visitor) {
      return getLogo(orNoSuchLink(await linkedProposalOf(requireLink(secret, visitor))).ctx)
    },
    failed({ code }, status, language) {
      const words = wordsOf(language ?? null)
      const { unknown, tooManyRequests, failed } = words.page
      const message = code === 'not_found' ? unknown : code === 'rate_limited' ? tooManyRequests : failed
      return { status, html: messagePage(words, message) }
    },
  }
}

/** @throws AppError `not_found` */
function orNoSuchLink<T>(value: T | undefined): T {
  if (value === undefined) throw new AppError('not_found', 'There is no such link.')
  return value
}

/** Returns until when the page shows the present state, in milliseconds of Unix time. */
function validUntil({ proposal: { status, expiresAt } }: Visit, nowMs: number): number {
  const expiry = status === 'pending' && expiresAt !== null ? Date.parse(expiresAt) : Infinity
  return expiry <= nowMs ? nowMs + maxCachedMs : Math.min(expiry, nowMs + maxCachedMs)
}

/** Returns the visit with the offer as chosen, unless a signature has fixed it; undefined if the proposal does not offer the choices. */
function withChoices(visit: Visit, choices: Choices): Visit | undefined {
  if (visit.proposal.status !== 'pending' || isSigned(visit.proposal)) return visit
  return unlessInvalid(() => ({ ...visit, proposal: { ...visit.proposal, ...chosenOffer(visit.proposal, choices) } }))
}

const isAcceptable = ({ proposal }: Visit): boolean =>
  unlessInvalid(() => {
    requireAcceptable(proposal)
    return true
  }) ?? false

function unlessInvalid<T>(value: () => T): T | undefined {
  try {
    return value()
  } catch (error) {
    if (error instanceof AppError && error.code === 'validation_error') return undefined
    throw error
  }
}

const maxNameLength = 200
const maxUserAgentLength = 500

const unfitForNames = new RegExp(String.raw`[\p{Cc}\p{Cs}${directionControls}]`, 'u')

/** A name has a letter or a digit, and no control characters, which would be invisible in the certificate. */
const isName = (name: string): boolean => name.length <= maxNameLength && /[\p{L}\p{N}]/u.test(name) && !unfitForNames.test(name)

/** Returns a text with the line breaks by which `maxlength` counts; forms send each as two characters. */
function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Removes what the database cannot store. */
const storable = (text: string): string => text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '')

const kindOf = ({ ctx }: Link, { userAgent, isPreview, memberOf }: Visitor): ViewerKind => {
  if (isRobot(userAgent)) return 'robot'
  return isPreview || memberOf.includes(ctx.organizationId) ? 'sender' : 'person'
}

const viewerOf = (link: Link, visitor: Visitor) => ({
  ...clientOf(visitor),
  recipientId: link.recipientId,
  kind: kindOf(link, visitor),
})

const clientOf = ({ address, userAgent }: Visitor) => ({
  address,
  userAgent: storable(userAgent ?? '').slice(0, maxUserAgentLength),
})
