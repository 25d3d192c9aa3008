import { counted, type Catalogue } from '../words/words.ts'

const count = counted('en')

const en = {
  title: 'Knowledge',
  about: 'What assistants and voice agents answer from.',
  newBase: 'New knowledge base',
  create: 'Create',
  name: 'Name',
  nameHelp: 'What its content is about, such as “Front desk”.',
  description: 'Description',
  language: 'Language',
  languageHelp: 'A tag such as “de”: what most of the content is written in. Leave it empty where it varies.',
  created: 'The knowledge base was created.',
  emptyTitle: 'No knowledge base yet',
  emptyHelp: 'A knowledge base holds documents, web pages and video transcripts, and finds the passages that answer a question.',
  sources: count({ one: '# source', other: '# sources' }),
  chunks: count({ one: '# chunk', other: '# chunks' }),
  columns: { base: 'Knowledge base', sources: 'Sources', chunks: 'Chunks', updated: 'Updated' },
  reindexing: 'Re-indexing',
  sourceColumns: { source: 'Source', type: 'Type', status: 'Status', chunks: 'Chunks', updated: 'Updated' },
  types: { file: 'File', url: 'Web page', youtube: 'Video', scrape: 'Website' },
  statuses: { processing: 'Processing', completed: 'Ready', failed: 'Failed' },
  stages: {
    queued: 'Waiting',
    fetching: 'Fetching',
    extracting: 'Reading',
    chunking: 'Cutting',
    embedding: 'Embedding',
    indexing: 'Indexing',
    done: 'Done',
  },
  noSourcesTitle: 'Nothing to answer from yet',
  noSourcesHelp: 'Add documents, a web page, a whole site or a video.',
}

export const knowledgeWords: Catalogue<typeof en> = { en }
export const knowledgeLabel: Catalogue<string> = { en: en.title }
