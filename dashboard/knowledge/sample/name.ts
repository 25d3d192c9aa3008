/** The name by which the dashboard recognizes the sample. A renamed one is an ordinary knowledge base. */
export const sampleName = 'Sample: Harbour Cycles'
