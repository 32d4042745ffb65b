/** Lines of programs that say what a name is: its signature, its kind, its value. */
const DEFINITION =
  /^\s*(?:\d+: )?(?:@\w+\s+)*(?:(?:export|default|pub(?:\([\w ]+\))?|public|private|protected|internal|static|abstract|async|final|override|declare|readonly|unsafe|virtual|inline|extern|suspend|open|sealed|data)\s+)*(?:function\*?|func|fn|def|class|interface|type|struct|enum|trait|impl|module|namespace|record|object|protocol|const|let|var|val|CREATE TABLE|#define)\s+\(?[\w$*]/;
const SIGNATURE =
  /^\s*(?:\d+: )?(?:public|private|protected|static|final|[A-Z]\w*(?:<[^>]*>)?)[\w<>[\],.? ]*\s\w+\([^)]*\)\s*(?:throws [\w, .]+)?\{?$/;

const LONGEST = 400;

export function isDefinition(line: string): boolean {
  const start = line.slice(0, LONGEST);
  return DEFINITION.test(start) || SIGNATURE.test(start);
}
