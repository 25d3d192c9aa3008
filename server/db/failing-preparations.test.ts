import { answersWhilePreparationsFail } from '../testing/failing-preparations.ts'

await answersWhilePreparationsFail({ requests: 600, seed: 1 })
