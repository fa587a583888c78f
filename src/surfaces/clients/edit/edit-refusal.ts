/** Why heed leaves a client's file as it is. */
export class EditRefusal extends Error {
  constructor(why: string) {
    super(why);
    this.name = "EditRefusal";
  }
}
