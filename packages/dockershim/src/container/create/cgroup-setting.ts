/** Defines a setting of a container's cgroup that Docker's API has no field for. */

/** A cgroup file and its value. An optional setting is skipped if the file doesn't exist. */
export interface CgroupSetting {
  readonly file: string;
  readonly value: string;
  readonly isOptional?: true;
}
