/** What is wrong with a record, by the codes of docs/record-format.md. */
export class Fault extends Error {
  constructor(code, reason) {
    super(reason);
    this.code = code;
  }
}
