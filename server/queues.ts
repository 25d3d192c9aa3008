import { deleteFilesQueue, processSourceQueue } from './knowledge/ingest/queue.ts'

/** Every kind of work that the program has. */
export const queues = [processSourceQueue, deleteFilesQueue] as const
