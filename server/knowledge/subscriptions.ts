import { reindexSubscriber } from './reindex/source-changes.ts'
import type { SourceSubscriber } from './rows/source-subscriber.ts'

/** All subscribers to changes of sources, in the order of their calls. */
export const sourceSubscribers: readonly SourceSubscriber[] = [reindexSubscriber]
