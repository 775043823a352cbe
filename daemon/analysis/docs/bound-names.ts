/** Whether code makes a variable or a function of a name, or takes something under it. */
export function binds(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const before = text.slice(Math.max(0, at - around), at);
    const behind = text.slice(at + name.length, at + name.length + around);
    if (isWordBegun.test(before) || isWordGoneOn.test(behind)) continue;
    if (makes.test(before) || isMade.test(behind) || (takes.test(before) && isTaken.test(behind))) return true;
  }
  return false;
}

/** How far around a name it is looked what is done with it. */
const around = 100;
const isWordBegun = /[\p{L}\p{N}_$.]$/u;
const isWordGoneOn = /^[\p{L}\p{N}_$]/u;
const makes = /(?:^|\s)(?:function|const|let|var|def|func|fn|fun|val)\s+$/;
const isMade = /^\s*(?:=>|:=)/;
const takes = /[(,]\s*$/;
const isTaken = /^\s*(?:,[^()]*)?\)\s*(?:=>|\{|:)/;
