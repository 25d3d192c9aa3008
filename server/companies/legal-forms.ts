/** Words of names that only name the legal form of a company, in lower case without accents and dots. */
export const legalForms = new Set(
  `gmbh mbh ggmbh gesmbh ag kg ohg gbr ug eg ev ek se co cokg kgaa haftungsbeschrankt ltd limited inc incorporated corp corporation llc llp lp plc cic
  company sa sas sasu sarl eurl sci sl slu srl srls spa sapi snc ltda eireli bv bvba nv vof cv ab as asa aps oy oyj ky hf ehf pty pte pvt private
  kk kft zrt bt nyrt doo dd ad ood eood sro  uab sia ou kabushiki kaisha gaisha yugen godo
  ооо зао оао пао ао ип тоо тов пат ае επε ικε und and the et y e och og ja`.split(/\s+/),
)

/** Legal forms of several words, and those in scripts without spaces, which are written together with the name. */
export const legalPhrases =
  /(?<![\p{L}\p{N}])sp\.?\s*z\s*o\.?\s*o(?![\p{L}\p{N}])|株式会社|有限会社|合同会社|合資会社|合名会社|[㈱㈲]|[(（][株有][)）]|股份有限公司|有限责任公司|有限責任公司|有限公司|주식회사|유한회사|[(（][주유][)）]|㈜/giu
