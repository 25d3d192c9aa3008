import { engineName } from './program.ts'

const embedded = { DATABASE_URL: '' }

/** From which database engine to which one a test moves data, and the settings of both programs. */
export const moves =
  engineName() === 'PostgreSQL'
    ? [
        { from: 'the embedded engine', to: 'PostgreSQL', source: embedded, target: {} },
        { from: 'PostgreSQL', to: 'the embedded engine', source: {}, target: embedded },
      ]
    : [{ from: 'the embedded engine', to: 'another data folder', source: embedded, target: embedded }]
