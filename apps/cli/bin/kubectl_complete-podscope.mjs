#!/usr/bin/env node
import '../src/kubectl/complete-main.ts';
