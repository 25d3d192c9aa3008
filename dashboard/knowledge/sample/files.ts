import faq from '../../../examples/faq.md?url'
import handbook from '../../../examples/handbook.pdf?url'
import openingHours from '../../../examples/opening-hours.html?url'
import prices from '../../../examples/price-list.csv?url'
import terms from '../../../examples/rental-terms.txt?url'
import warranty from '../../../examples/warranty.docx?url'

/** The example documents, which are files of the dashboard. */
export const sampleFiles = [
  { url: faq, fileName: 'faq.md', name: 'Frequently asked questions', type: 'text/markdown' },
  { url: openingHours, fileName: 'opening-hours.html', name: 'Opening hours', type: 'text/html' },
  { url: prices, fileName: 'price-list.csv', name: 'Price list', type: 'text/csv' },
  { url: terms, fileName: 'rental-terms.txt', name: 'Rental terms', type: 'text/plain' },
  {
    url: warranty,
    fileName: 'warranty.docx',
    name: 'Warranty',
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  { url: handbook, fileName: 'handbook.pdf', name: 'Staff handbook', type: 'application/pdf' },
] as const
