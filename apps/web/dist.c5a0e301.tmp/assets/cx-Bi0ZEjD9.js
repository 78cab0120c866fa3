var e=(...e)=>e.filter(Boolean).join(` `);export{e as t};
//# sourceMappingURL=cx-Bi0ZEjD9.js.map