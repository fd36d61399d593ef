/* The sections of a model file that hold elements. */
#ifndef PC_MODEL_SECTIONS_H
#define PC_MODEL_SECTIONS_H

#include "model/field.h"
#include "model/kinds.h"

/* Each reads its section (NULL: not there) into the system of the reader. Contacts and forces that
 * are formulas are left for pc_read_formulas. */
pc_status pc_read_bodies(pc_reader* r, const pc_node* section);
pc_status pc_read_coordinates(pc_reader* r, const pc_node* section);
pc_status pc_read_points(pc_reader* r, const pc_node* section);
pc_status pc_read_joints(pc_reader* r, const pc_node* section);
pc_status pc_read_forces(pc_reader* r, const pc_node* section);
/* `drives` or `limits`, whose kind is `kind`. */
pc_status pc_read_drives(pc_reader* r, const char* name, const char* kind, const pc_node* section);
pc_status pc_read_contacts(pc_reader* r, const pc_node* section);

/* Whether an entry of `forces:` or `contacts:` is made of formulas. */
int pc_is_formula_force(const pc_node* key);
int pc_is_formula_contact(const pc_node* key);

/* A part with one coordinate, the last of the reader's; its name must outlive the reader. */
pc_status pc_add_coordinate(pc_reader* r, const pc_coordinate_def* def);

/* Keeps what formulas need to use the coordinates of a joint, or its loads. */
pc_status pc_note_joint(pc_reader* r, const char* kind, const char* name, const pc_joint_def* def);

/* Says that an element of this name is there, and checks the name. */
pc_status pc_claim_name(pc_reader* r, const char* name, const pc_node* node, const char* what);

/* Refuses two elements of one name. */
pc_status pc_check_claims(pc_reader* r);

/* Releases all that the reader has gathered. */
void pc_reader_clear(pc_reader* r);

/* The parts of the element made of formulas. */
typedef struct pc_formula_sections {
  const pc_node* kinetic; /* each the value of its key, or NULL */
  const pc_node* potential;
  const pc_node* forces;
  const pc_node* constraints;
  const pc_node* contacts;
} pc_formula_sections;

pc_status pc_read_formulas(pc_reader* r, const pc_formula_sections* sections);

#endif
