/**
 * The titles of evaluation documents, written down by hand: each accepted wording, null where the document has no title of its
 * own. Numbers, case and signs are not compared.
 */
export const titles: Readonly<Record<string, readonly (string | null)[]>> = {
  'pdf/RECEIPT-2024-TXN-98765_retail_purchase.pdf': ['TECHMART ELECTRONICS', null],
  'pdf/broken-encoding-german.pdf': ['Schutterwald aktuell'],
  'pdf/code_and_formula.pdf': ['JavaScript Code Example'],
  'pdf/debmake-doc.ja.pdf': ['Debian メンテナー用ガイド'],
  'pdf/debmake-doc.ru.pdf': ['Руководство для сопровождающих Debian'],
  'pdf/debmake-doc.zh-cn.pdf': ['Debian 维护者指南'],
  'pdf/form-acro.pdf': ['Example for a Form'],
  'pdf/latex-multicolumn.pdf': ['Two-Column Document with Lorem Ipsum'],
  'pdf/multi-column-2p.pdf': ['Dense Passage Retrieval for Open-Domain Question Answering'],
  'pdf/multi_page.pdf': ['The Evolution of the Word Processor'],
  'pdf/normal_4pages.pdf': ['코로나-19 관련 보험약관상 재해보험금 지급문제 및 개선과제'],
  'pdf/olmocr-ff0f0b22c55d8b90dd77d153f48e144fc9db_pg2.pdf': ['Lassa Fever in Post-Conflict Sierra Leone'],
  'pdf/olmocr-ff4f7dad78081cff727d19ab51c181d4a661_pg1.pdf': ['Molecular markers of breast cancer metastasis'],
  'pdf/olmocr-olmo2-pg4.pdf': [null],
  'pdf/olmocr-openstax_caculus_pg_273.pdf': ['3.4 EXERCISES', 'Derivatives', null],
  'pdf/olmocr-small_page_size.pdf': ['BRITISH HUSBANDRY', null],
  'pdf/redp5110_sampled.pdf': ['Row and Column Access Control Support in IBM DB2 for i'],
  'pdf/right_to_left_01.pdf': ['تحسين الإنتاجية وحل المشكلات من خلال البرمجة بلغة R وPython'],
  'pdf/with-attachment.pdf': [null],
  'html/ArabicMisleadingCharset.html': ['Test Arabic'],
  'html/article-0ec95c72.html': [
    '엘제이-류화영 진흙탕 싸움, 공적인 사안으로 봐야하는 이유',
    '엘제이-류화영 진흙탕 싸움, 공적인 사안으로 봐야하는 이유 - Entermedia',
  ],
  'html/article-11ea381a.html': ['Classificação NASCAR'],
  'html/article-21486419.html': ['Jangan Membenci Satu Kaum Secara Berlebihan'],
  'html/article-57b4dafd.html': ['Die elektronische Patientenakte (ePA) – der lange Marsch ins Digitale Gesundheitswesen'],
  'html/article-f105de6e.html': ['Kindle for PCをCtrl＋Alt＋Kのショートカットキーで立ち上がらなくする方法'],
  'html/example-10k.html': ['FORM 10-K', 'Galaxy Gaming, Inc.', 'Annual report', null],
  'html/html_code_snippets.html': ['Code snippets in HTML', 'Code snippets'],
  'html/html_rich_table_cells.html': ['Rich Table Cells in HTML'],
  'html/readability-folha.html': ['Tite diz que errou ao levar taça da Libertadores a Lula em 2012'],
  'html/readability-gitlab-blog.html': ['3 surprising findings from our 2024 Global DevSecOps Survey'],
  'html/readability-google-sre-book-1.html': ['Monitoring Distributed Systems'],
  'html/readability-heise.html': ['1Password für Mac generiert Einmal-Passwörter'],
  'html/readability-lemonde-1.html': ["Le projet de loi sur le renseignement massivement approuvé à l'Assemblée"],
  'html/readability-v8-blog.html': ['Outside the web: standalone WebAssembly binaries using Emscripten'],
  'html/table_06.html': ['Header', null],
  'docx/eng_spa_mult.docx': [null],
  'docx/handbook-872p.docx': ['Handbook for Chapter 7 Trustees', null],
  'docx/lorem_ipsum.docx': [null],
  'docx/textbox.docx': ['傳染病通報作業流程', 'Infectious Disease Reporting Procedure for the 113th Academic Year Kindergarten'],
  'docx/unit_test_headers_numbered.docx': ['Test Document'],
  'docx/word_sample.docx': ['Swimming in the lake'],
  'pptx/markitdown-test.pptx': ['AutoGen: Enabling Next-Gen LLM Applications via Multi-Agent Conversation'],
  'pptx/officeparser-demo.pptx': ['Demonstration of DOCX support in calibre'],
  'pptx/powerpoint_comments.pptx': ['Test Slide With Comments'],
  'pptx/powerpoint_sample.pptx': ['Test Table Slide'],
  'pptx/pptx_chart.pptx': ['Quarterly Duck Survey'],
  'xlsx/officeparser-demo.xlsx': [null],
  'xlsx/xlsx_01.xlsx': [null],
  'xlsx/xlsx_06_edge_cases_.xlsx': [null],
  'xlsx/xlsx_comments.xlsx': [null],
  'odt/extraction_test.odt': ['Comprehensive Extraction Test Document'],
  'odt/text_document_03.odt': ['Table with rich cells', null],
  'odp/odf_presentation_01.odp': ['Test Table Slide'],
  'ods/officeparser-demo.ods': ['Demonstration of DOCX support in calibre', null],
  'rtf/extraction_test.rtf': ['Comprehensive Extraction Test Document'],
  'epub/childrens-literature.epub': ["Children's Literature"],
  'epub/israelsailing.epub': ['מפליגים בישראל'],
  'epub/officeparser-demo.epub': ['DOCX Demo', 'Demonstration of DOCX support in calibre'],
  'epub/regime-anticancer-arabic.epub': ['Le Vrai Régime anti-cancer'],
}

/** Returns whether a title is one of the accepted ones; documents that are not listed are right. */
export function isRightTitle(path: string, title: string | null): boolean {
  const accepted = titles[path]
  return accepted === undefined || accepted.some((one) => (one === null ? title === null : title !== null && plain(one) === plain(title)))
}

function plain(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
