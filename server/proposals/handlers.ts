import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import type { ProposalServices } from './context.ts'
import { exportProposals } from './export.ts'
import { listProposals, totalProposals } from './list.ts'
import { getProposalPdf } from './pdf/pdf-file.ts'
import { listViews } from './list-views.ts'
import { previewProposalPage } from './page/preview-page.ts'
import { previewProposal } from './preview.ts'
import { createProposal, deleteProposal, getProposal, updateProposal } from './proposals.ts'
import { answerQuestion, listQuestions } from './questions/questions.ts'
import { getProposalFile } from './sections/proposal-file.ts'
import { countersignProposal } from './signers/countersign.ts'
import { sendProposal, voidProposal } from './transitions.ts'
import { duplicateProposal, reviseProposal } from './versions/copy.ts'

export const proposalHandlers: Handlers<GroundworkApi, ProposalServices>['proposals'] = {
  create: (ctx, { body }) => createProposal(ctx, body),
  list: (ctx, { query }) => listProposals(ctx, query),
  export: (ctx, { query }) => exportProposals(ctx, query),
  totals: (ctx, { query }) => totalProposals(ctx, query),
  get: (ctx, { params }) => getProposal(ctx, params.id),
  views: (ctx, { params, query }) => listViews(ctx, params.id, query),
  pdf: (ctx, { params }) => getProposalPdf(ctx, params.id),
  file: (ctx, { params }) => getProposalFile(ctx, params.id, params.sha256),
  update: (ctx, { params, body }) => updateProposal(ctx, params.id, body),
  delete: (ctx, { params }) => deleteProposal(ctx, params.id),
  preview: (ctx, { body }) => previewProposal(ctx, body),
  previewPage: (ctx, { body }) => previewProposalPage(ctx, body),
  send: (ctx, { params, body }) => sendProposal(ctx, params.id, body),
  duplicate: (ctx, { params }) => duplicateProposal(ctx, params.id),
  revise: (ctx, { params }) => reviseProposal(ctx, params.id),
  countersign: (ctx, { params, body }) => countersignProposal(ctx, params.id, body),
  void: (ctx, { params, body }) => voidProposal(ctx, params.id, body),
}

export const proposalQuestionHandlers: Handlers<GroundworkApi, ProposalServices>['proposalQuestions'] = {
  list: (ctx, { params }) => listQuestions(ctx, params.id),
  answer: (ctx, { params, body }) => answerQuestion(ctx, { proposalId: params.id, questionId: params.questionId }, body),
}
