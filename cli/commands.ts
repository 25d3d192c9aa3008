import { addSources } from './add-sources.ts'
import { createBase, deleteBase, listBases } from './bases.ts'
import type { Command } from './command.ts'
import { eraseContact, exportContacts, findContacts, mergeContacts } from './contacts.ts'
import { countersignProposal } from './countersign.ts'
import { tailEvents } from './events.ts'
import { exportRecords } from './export.ts'
import { importContacts } from './import-contacts.ts'
import { duplicateProposal, reviseProposal, sendProposal, voidProposal } from './proposal-changes.ts'
import { listProposals } from './proposal-list.ts'
import { answerQuestion, listQuestions } from './proposal-questions.ts'
import { downloadProposalPdf } from './proposals.ts'
import { searchBase } from './search.ts'
import { deleteSources, listSources, retrySources, syncSources, watchBase } from './sources.ts'
import { createToken, listTokens, revokeToken, rotateToken } from './tokens.ts'
import { verifyFiles } from './verify.ts'

/** The API commands, in the order of the help. */
export const commands: readonly Command[] = [
  listBases,
  createBase,
  deleteBase,
  listSources,
  addSources,
  watchBase,
  retrySources,
  syncSources,
  deleteSources,
  searchBase,
  findContacts,
  importContacts,
  exportContacts,
  mergeContacts,
  eraseContact,
  exportRecords,
  tailEvents,
  listProposals,
  sendProposal,
  voidProposal,
  duplicateProposal,
  reviseProposal,
  listQuestions,
  answerQuestion,
  downloadProposalPdf,
  countersignProposal,
  verifyFiles,
  listTokens,
  createToken,
  rotateToken,
  revokeToken,
]
