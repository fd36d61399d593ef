/* Models that make no sense: each gives exactly one error, in the right place, in plain words. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "percuss/model.h"

#define HEAD "percuss: 1\n"
#define HINGED                                                                        \
  "percuss: 1\nspace: spatial\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n" \
  "  pin: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}}\n"
#define SPATIAL HEAD "space: spatial\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1], "
#define BODIES                        \
  HEAD "bodies:\n"                    \
       "  a: {mass: 1, inertia: 1}\n" \
       "  b: {mass: 1, inertia: 1, position: [1, 0]}\n"
#define BAR            \
  HEAD "space: line\n" \
       "bodies:\n"     \
       "  bar: {kind: bar, elements: 3, root: 0, tip: 1, area: 1, density: 1, modulus: 1}\n"
#define BEAM                                                                                       \
  HEAD "bodies:\n"                                                                                 \
       "  beam: {kind: beam, elements: 3, nodes: 3, root: [0, 0], tip: [1, 0], area: 1, inertia: " \
       "1, density: 1, modulus: 1}\n"
#define FORMULAS                       \
  HEAD "parameters: {m: 1, g: 9.81}\n" \
       "coordinates: {x: 0, y: 1}\n"   \
       "kinetic: m/2*(x'^2 + y'^2)\n"

typedef struct bad_model {
  const char* text;
  int line, column;
  const char* fragment;
} bad_model;

static const bad_model bad_models[] = {
    {"", 1, 1, "the file is empty"},
    {"- 1\n- 2\n", 1, 1,
     "expected a mapping of sections that begins with 'percuss: 1', found a list"},
    {"hello\n", 1, 1, "expected a mapping of sections that begins with 'percuss: 1', found a"},
    {"# nothing\n", 1, 1, "the file is empty"},
    {"title: x\n", 1, 1, "'percuss: 1' is missing, the version of the file format"},
    {"percuss: 2\n", 1, 10, "expected version 1 of the file format, found 2"},
    {"percuss: [1]\n", 1, 10, "expected version 1 of the file format, found a list"},
    {HEAD, 1, 1, "there is nothing that can move"},
    {HEAD "gravty: [0, -1]\n", 2, 1, "model: unknown key 'gravty'; did you mean 'gravity'?"},
    {HEAD "title: a\ntitle: b\n", 3, 1,
     "'title' stands here a second time; the first is at line 2"},
    {HEAD "---\npercuss: 1\n", 2, 1, "a second document begins here; a model file holds one"},
    {HEAD "title: *x\n", 2, 8, "aliases ('*x') are not allowed in a model file"},
    {HEAD "title: &x a\n", 2, 8, "anchors ('&x') are not allowed in a model file"},
    {HEAD "title: !!str a\n", 2, 8,
     "tags ('tag:yaml.org,2002:str') are not allowed in a model file"},
    {HEAD "bodies: {a: {mass: 1\n", 3, 1,
     "not valid YAML: did not find expected ',' or '}', while parsing a flow"},
    {HEAD "bodies:\n\ta: 1\n", 3, 1,
     "not valid YAML: found character that cannot start any token, while"},
    {HEAD "title: \"a\\0b\"\n", 2, 8, "a text with a NUL character"},
    {HEAD "? [a, b]\n: 1\n", 2, 3, "expected a key, found a list"},
    {HEAD "title: [a]\n", 2, 8, "title: expected a text, found a list"},
    {HEAD "space: plnar\n", 2, 8, "space: unknown; did you mean 'planar'?"},
    {HEAD "space: [1]\n", 2, 8, "space: unknown; expected: line, planar, spatial"},
    {HEAD "gravity: [0]\n", 2, 10, "gravity: expected 2 numbers, [x, y], found 1"},
    {HEAD "gravity: 9.81\n", 2, 10,
     "gravity: expected a list of 2 numbers, [x, y], found a single value"},
    {HEAD "gravity: [0, -g]\n", 2, 15, "gravity: unknown name 'g'; the model has no parameters"},
    {HEAD "gravity: [0, .nan]\n", 2, 14, "gravity: expected a finite number, found '.nan'"},
    {HEAD "parameters: [a]\n", 2, 13,
     "parameters: expected a mapping of names to numbers, found a list"},
    {HEAD "parameters: {a: }\n", 2, 17,
     "parameter 'a': expected a number or an expression, found nothing"},
    {HEAD "parameters: {1a: 2}\n", 2, 14,
     "'1a' cannot be the name of a parameter: expected letters, digits and '_',"},
    {HEAD "parameters: {pi: 3}\n", 2, 14,
     "a parameter cannot be called 'pi': expressions know this name"},
    {HEAD "parameters: {a: b, b: c + 1, c: 2*a}\n", 2, 17,
     "parameters depend on each other in a circle: a -> b -> c -> a"},
    {HEAD "parameters:\n  a: a + 1\n", 3, 6, "parameters depend on each other in a circle: a -> a"},
    {HEAD "parameters: {length: 2, b: lenght/2}\n", 2, 28,
     "parameter 'b': unknown name 'lenght'; did you mean 'length'?"},
    {HEAD "parameters: {b: 2 + * 3}\n", 2, 21,
     "parameter 'b': expected a number, a name or '(', not '*'"},
    {HEAD "parameters: {b: 1/0}\n", 2, 17, "parameter 'b': '1/0' is infinite, not a finite number"},
    {HEAD "parameters: {b: .nan}\n", 2, 17,
     "parameter 'b': expected a finite number, found '.nan'"},
    {HEAD "parameters: {b: 2*t}\n", 2, 19, "parameter 'b': unknown name 't'; known here: b"},
    {HEAD "bodies: [a]\n", 2, 9, "bodies: expected a mapping of names to bodies, found a list"},
    {HEAD "bodies: {a: 1}\n", 2, 13,
     "body 'a': expected a mapping of its properties, found a single value"},
    {HEAD "bodies: {1a: {mass: 1}}\n", 2, 10,
     "'1a' cannot be the name of a body: expected letters, digits, '_' and '-',"},
    {HEAD "bodies: {ground: {mass: 1, inertia: 1}}\n", 2, 10,
     "a body cannot be called 'ground': that is the inertial frame"},
    {HEAD "bodies:\n  a: {inertia: 1}\n", 3, 6, "body 'a': 'mass' is missing: mass of the body"},
    {HEAD "bodies:\n  a: {mas: 1, inertia: 1}\n", 3, 7,
     "body 'a': unknown key 'mas'; did you mean 'mass'?"},
    {HEAD "bodies:\n  a: {mass: -1, inertia: 1}\n", 3, 13,
     "body 'a', mass: it is -1, but must be positive"},
    {HEAD "bodies:\n  a: {mass: .nan, inertia: 1}\n", 3, 13,
     "body 'a', mass: expected a finite number, found '.nan'"},
    {HEAD "bodies:\n  a: {mass: 1, inertia: 0}\n", 3, 25,
     "body 'a', inertia: it is 0, but must be positive"},
    {HEAD "bodies:\n  a: {mass: [1], inertia: 1}\n", 3, 13,
     "body 'a', mass: expected a number or an expression, found a list"},
    {HEAD "bodies:\n  a: {mass: 1, inertia: 1, position: [1, 2, 3]}\n", 3, 38,
     "body 'a', position: expected 2 numbers, [x, y], found 3"},
    {HEAD "bodies:\n  a: {kind: disc, mass: 1}\n", 3, 13,
     "body 'a': expected kind: rigid, point, bar or beam"},
    {HEAD "bodies:\n  a: {kind: [1], mass: 1}\n", 3, 13,
     "body 'a': expected kind: rigid, point, bar or beam"},
    {HEAD "space: line\nbodies:\n  a: {mass: 1, inertia: 1}\n", 4, 3,
     "body 'a': a body of kind: rigid needs space: planar or space: spatial"},
    {HEAD "space: spatial\nbodies:\n  a: {mass: 1, inertia: 1}\n", 4, 25,
     "body 'a', inertia: expected [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or three rows"},
    {HEAD "space: spatial\nbodies:\n  a: {mass: 1, inertia: [1, 1]}\n", 4, 25,
     "body 'a', inertia: expected [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or three rows"},
    {HEAD "space: spatial\nbodies:\n  a: {mass: 1, inertia: [1, 1, 3]}\n", 4, 3,
     "body 'a': inertia is that of no body: its principal moments are 1, 1, 3"},
    {HEAD "space: spatial\nbodies:\n  a: {mass: 1, inertia: [1, 1, 1, 2, 0, 0]}\n", 4, 3,
     "body 'a': inertia is not positive definite: its principal moments are -1, 1, 3"},
    {HEAD "space: spatial\nbodies:\n  a: {mass: 1, inertia: [[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]}\n",
     4, 3, "body 'a': inertia is not symmetric"},
    {SPATIAL "angle: 1}\n", 4, 36, "body 'a': unknown key 'angle'"},
    {SPATIAL "orientation: [1, 0, 0]}\n", 4, 49,
     "body 'a', orientation: expected a quaternion [w, x, y, z] or {axis: [x, y, z], angle: a}"},
    {SPATIAL "orientation: [0, 0, 0, 0]}\n", 4, 49,
     "body 'a', orientation: the quaternion is zero; it must have a length"},
    {SPATIAL "orientation: {axis: [0, 0, 0], angle: 1}}\n", 4, 56,
     "body 'a', orientation: the axis is zero; it must have a direction"},
    {SPATIAL "orientation: {axis: [0, 0, 1]}}\n", 4, 49,
     "body 'a', orientation: 'angle' is missing; expected {axis: [x, y, z], angle: a}"},
    {SPATIAL "orientation: {axis: [0, 0, 1], angel: 1}}\n", 4, 67,
     "body 'a', orientation: unknown key 'angel'; expected axis and angle"},
    {SPATIAL "}\njoints: [revolute: {bodies: [ground, a], at: [0, 0, 0]}]\n", 5, 20,
     "revolute 'revolute-1': 'axis' is missing"},
    {SPATIAL "}\nforces: [rotational-spring: {bodies: [ground, a], stiffness: 1}]\n", 5, 29,
     "rotational-spring 'rotational-spring-1': 'axis' is missing"},
    {SPATIAL "}\nforces: [rotational-spring: {bodies: [ground, a], axis: [0, 1]}]\n", 5, 57,
     "rotational-spring 'rotational-spring-1', axis: expected 3 numbers, [x, y, z], found 2"},
    {SPATIAL "}\nforces: [rotational-spring: {bodies: [ground, a], axis: [0, 0, 0]}]\n", 5, 10,
     "rotational spring 'rotational-spring-1': axis is zero; it must have a direction"},
    {SPATIAL "}\nforces: [rotational-spring: {bodies: [ground, a], axis: [0, 0, 1], angle: 7}]\n",
     5, 10,
     "rotational spring 'rotational-spring-1': angle is 7; it must be less than a full turn, 2 pi, "
     "either way"},
    {SPATIAL
     "}\nforces: [rotational-spring: {bodies: [ground, a], axis: [0, 0, 1], damping: -1}]\n",
     5, 77, "rotational-spring 'rotational-spring-1', damping: it is -1, but must not be negative"},
    {BODIES "forces:\n  - rotational-spring: {bodies: [a, b], axis: [0, 0, 1]}\n", 6, 41,
     "rotational-spring 'rotational-spring-1': unknown key 'axis'; allowed: bodies, stiffness, "
     "damping, angle"},
    {SPATIAL "}\njoints: [spherical: {bodies: [ground, a], at: [0, 0]}]\n", 5, 47,
     "spherical 'spherical-1', at: expected 3 numbers, [x, y, z], found 2"},
    {SPATIAL "}\ncontacts:\n  f: {sphere: a, radius: 1, plane: {point: [0, 0, 0], "
             "normal: [0, 0, 1]}, friction: {mu: 0.3, contact_radius: 0}}\n",
     6, 111, "contact 'f', friction, contact_radius: it is 0, but must be positive"},
    {SPATIAL "}\ncontacts:\n  f: {sphere: a, radius: 1, plane: {point: [0, 0, 0], "
             "normal: [0, 0, 1]}, friction: {contact_radius: 1}}\n",
     6, 85, "contact 'f', friction: 'mu' is missing: coefficient of Coulomb friction"},
    {SPATIAL "}\ncontacts:\n  f: {disc: a, radius: 1, plane: {point: [0, 0, 0], "
             "normal: [0, 0, 1]}}\n",
     6, 6, "contact 'f': 'axis' is missing: axis of the disc, in the body's frame"},
    {SPATIAL "}\ncontacts:\n  f: {disc: a, radius: 1, other: ground, other_radius: 1}\n", 6, 3,
     "contact 'f': 'disc-disc' needs space: line or space: planar"},
    {SPATIAL "}\ncontacts:\n  f: {gap: a.angle}\n", 6, 12,
     "unknown name 'a.angle'; known here: a.x"},
    {SPATIAL "}\nkinetic: a.vx^2\n", 5, 10,
     "the kinetic energy depends on a rigid body in space, which brings its own"},
    {SPATIAL "}\nforces: {a.qw: 1}\n", 5, 10,
     "there is no coordinate 'a.qw' for this force to act on"},
    {SPATIAL "}\nforces: [force: {point: ground, value: [a.x, 0, 0]}]\n", 5, 10,
     "force 'force-1': point is on the ground, which cannot move"},
    {SPATIAL "}\nforces: [torque: {body: a, value: [1, 0, 0], frame: a, in_body_frame: true}]\n", 5,
     46, "torque 'torque-1': give 'frame' or 'in_body_frame', not both"},
    {HEAD
     "bodies:\n  wall: {mass: 1, inertia: 1, angle: 1, fixed: true}\n  a: {mass: 1, inertia: 1}\n"
     "forces: [force: {point: a, frame: wall, value: [1, 0]}]\n",
     5, 35,
     "'wall' is fixed, a part of the ground: say ground, and what is in its frame in the inertial"},
    {HEAD "bodies:\n  wall: {mass: 1, inertia: 1, position: [1, 0], fixed: true}\n"
          "  a: {kind: point, mass: 1}\n"
          "contacts: {c: {point: a, plane: {part: wall, point: [0, 0], normal: [0, 1]}}}\n",
     5, 40, "'wall' is fixed, a part of the ground"},
    {SPATIAL "}\nforces: [bushing: {bodies: [ground, a], at: [0, 0, 0]}]\n", 5, 10,
     "bushing 'bushing-1': give at least one of 'stiffness', 'damping', 'angular_stiffness' and "
     "'angular_damping'"},
    {SPATIAL "}\nforces: [bushing: {bodies: [ground, a], at: [0, 0, 0], stiffness: [1, dx, 1]}]\n",
     5, 71, "bushing 'bushing-1', stiffness: unknown name 'dx'"},
    {SPATIAL "}\nforces: [line-force: {points: [ground, a], value: lenght}]\n", 5, 51,
     "line-force 'line-force-1', value: unknown name 'lenght'; did you mean 'length'?"},
    {SPATIAL "}\npoints: {tip: [b, [0, 0, 0]]}\n", 5, 16, "point 'tip': there is no body 'b'"},
    {SPATIAL "}\npoints: {tip: ground}\n", 5, 15,
     "point 'tip': expected a point of a rigid body or point mass, not of the ground"},
    {SPATIAL "}\nrecord: {tip: a.xx}\n", 5, 15, "output 'tip': unknown name 'a.xx'"},
    {SPATIAL "}\nrecord: [{tip: a.x, tip2: tip3}]\n", 5, 27, "output 'tip2': unknown name 'tip3'"},
    {SPATIAL "}\nrecord: [{tip: a.x, unit: m}]\n", 5, 21,
     "'unit' cannot be the name of an output; one with a unit is {name: {value: formula, unit: "
     "text}}"},
    {SPATIAL "}\nrecord: {a.x: 1}\n", 5, 10, "output 'a.x': a quantity of the model is called so"},
    {SPATIAL "}\nrecord: {tip: {value: a.x, units: m}}\n", 5, 28,
     "output 'tip': unknown key 'units'; did you mean 'unit'?"},
    {HINGED "contacts: {c: {clearance: universal}}\n", 6, 27,
     "contact 'c': expected clearance: revolute, prismatic or spherical"},
    {HINGED "contacts:\n  c: {clearance: revolute, bodies: [ground, a], at: [0, 0, 0], radius: 1,\n"
            "    axis: [0, 0, 1], length: 1, play: 2}\n",
     7, 3, "clearance 'c': play is 2; it must be less than radius, 1"},
    {HINGED "drives: {d: {joint: pni, angle: t}}\n", 6, 21,
     "drive 'd', joint: there is no joint 'pni' with coordinates; did you mean 'pin'?"},
    {HINGED "drives: {d: {joint: pin}}\n", 6, 10,
     "drive 'd': expected one of angle, rate, displacement, speed, torque and force"},
    {HINGED "drives: {d: {joint: pin, displacement: t}}\n", 6, 40,
     "drive 'd', displacement: joint 'pin' is revolute; it has an angle, no displacement"},
    {HINGED "  rail: {prismatic: {bodies: [ground, a], axis: [1, 0, 0]}}\n"
            "  r: {rack: {joints: [rail, pin], radius: 1}}\n",
     7, 3,
     "rack 'r': its first joint needs an angle: joint 'rail' is prismatic; it has a displacement, "
     "no angle"},
    {HINGED "drives: {d: {joint: pin, vx: t}}\n", 6, 30, "drive 'd': 'vx' is not for a joint"},
    {HINGED "drives: {d: {body: a, spin: t}}\n", 6, 10, "the body has no velocity 'spin'"},
    {HINGED "drives: {d: {angle: t}}\n", 6, 10, "drive 'd': expected a joint or a body that moves"},
    {HINGED "drives: {d: {joint: pin, angle: pin.rate}}\n", 6, 10,
     "drive 'd': constraint on the position depends on a velocity"},
    {HINGED "limits: {s: {joint: pin}}\n", 6, 10, "limit 's': expected 'min', 'max' or both"},
    {HINGED "limits: {s: {joint: pin, min: 2, max: 1}}\n", 6, 10,
     "limit 's': min is 2; it must be less than max, 1"},
    {HINGED "limits: {s: {joint: pin, coordinate: angel, min: 2}}\n", 6, 10,
     "joint 'pin' is revolute; it has an angle, no displacement"},
    {HINGED
     "  c: {clearance: revolute, bodies: [ground, a], at: [0, 0, 0], radius: 0.1, play: 0.01}\n",
     6, 7, "joints: 'clearance' belongs to 'contacts'"},
    {HINGED "  c: {spring: {points: [ground, a], stiffness: 2}}\n", 6, 7,
     "joints: 'spring' belongs to 'forces'"},
    {HINGED "limits: {s: {joint: pin, min: 2, friction: 0.1, radius: 1}}\n", 6, 10,
     "limit 's': friction is for joints that both turn and slide (cylindrical, screw); joint 'pin' "
     "is revolute, whose "
     "stops have nothing to slide along: joint-friction is for its bearing"},
    {HINGED "  c: {cylindrical: {bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}}\n"
            "limits: {s: {joint: c, min: 2, friction: 0.1}}\n",
     7, 10, "limit 's': 'friction' and 'radius' need each other"},
    {HINGED "  c: {cylindrical: {bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}}\n"
            "limits: {s: {joint: c, min: 2, radius: 0.1}}\n",
     7, 10, "limit 's': 'friction' and 'radius' need each other"},
    {HINGED "  g: {gear: {joints: [pin, pin], teeth: [1, 2]}}\n", 6, 22,
     "gear 'g', joints: expected two different joints"},
    {HINGED "  p: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}}\n"
            "  g: {gear: {joints: [pin, p], teeth: [1.5, 2]}}\n",
     7, 39, "gear 'g', teeth: 1.5 is no whole number; 'ratio' may be any number"},
    {HINGED "  p: {revolute: {bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0]}}\n"
            "  g: {gear: {joints: [pin, p]}}\n",
     7, 3, "gear 'g': expected 'teeth' or 'ratio'"},
    {HINGED "forces: {f: {joint-friction: {joint: pin, bound: 1, kinetic: 0.5}}}\n", 6, 10,
     "joint-friction 'f': 'stribeck' and 'kinetic' or 'mu_kinetic' need each other"},
    {SPATIAL "}\njoints: {u: {universal: {bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0],\n"
             "  second_axis: [1, 1, 0]}}}\n",
     5, 10, "universal 'u': axis and second_axis are not at right angles: their cosine is 0.707"},
    {SPATIAL "}\njoints: {u: {universal: {bodies: [ground, a], at: [0, 0, 0], axis: [1, 0, 0],\n"
             "  second_axis: [-1, 1, 0]}}}\n",
     5, 10, "universal 'u': axis and second_axis are not at right angles: their cosine is -0.707"},
    {SPATIAL "}\nrecord: {tip: tip}\n", 5, 15, "output 'tip': unknown name 'tip'"},
    {BODIES "joints:\n  - spherical: {bodies: [a, b], at: [0, 0]}\n", 6, 5,
     "joints: 'spherical' needs space: spatial"},
    {BODIES "joints:\n  - rolling: {disc: a, radius: 1}\n", 6, 14,
     "rolling 'rolling-1': 'plane' is missing"},
    {BODIES "joints:\n  - skate: {point: a, along: [0, 0]}\n", 6, 5,
     "skate 'skate-1': along is zero; it must have a direction"},
    {BODIES "contacts:\n  f: {sphere: a, radius: 1, plane: {point: [0, 0], normal: [0, 1]}}\n", 6,
     3, "contact 'f': 'sphere-plane' needs space: spatial"},
    {BODIES
     "contacts:\n  f: {point: a, plane: {point: [0, 0], normal: [0, 1]}, friction: {mu: 0.3, "
     "contact_radius: 1}}\n",
     6, 3, "disc-plane 'f': contact_radius needs a spatial system"},
    {HEAD "space: spatial\nbodies: {a: {kind: point, mass: 1}}\n"
          "forces: {f: {force: {point: a, value: [0, 0, a.qw]}}}\n",
     4, 46, "force 'f', value: unknown name 'a.qw'; known here: a.x, a.vx, a.y, a.vy, a.z, a.vz"},
    {HEAD
     "bodies:\n  a: {mass: 1, inertia: 1}\n"
     "contacts: {f: {disc: a, radius: 1, plane: {point: [0, 0], normal: [0, 1]}, rolling: -1}}\n",
     4, 85, "contact 'f', rolling: it is -1; it must be positive"},
    {HEAD "bodies:\n  a: {kind: point, mass: 1, inertia: 1}\n", 3, 29,
     "body 'a': unknown key 'inertia'; allowed: kind, mass, position, velocity"},
    {HEAD "bodies:\n  a: {kind: bar, elements: 3}\n", 3, 3,
     "body 'a': a body of kind: bar needs space: line"},
    {HEAD "space: line\nbodies:\n  a: {kind: bar, elements: 2.5}\n", 4, 28,
     "body 'a', elements: it is 2.5, but must be a whole number from 1 on"},
    {HEAD "space: line\nbodies:\n  a: {kind: bar, elements: 0}\n", 4, 28,
     "body 'a', elements: it is 0, but must be a whole number from 1 on"},
    {HEAD "space: line\nbodies:\n  a: {kind: bar, elements: 2}\n", 4, 6,
     "body 'a': 'root' is missing: one end at the start, without strain"},
    {HEAD
     "space: line\nbodies:\n  a: {kind: bar, elements: 2, root: 1, tip: 1, area: 1, density: 1, "
     "modulus: 1}\n",
     4, 3, "bar 'a': root and tip are in one place"},
    {BAR "joints:\n  clamp: {fixed: {bodies: [ground, bar]}}\n", 6, 36,
     "fixed 'clamp', bodies: 'bar' is a bar: expected one of its nodes, such as bar.root"},
    {BAR "joints:\n  clamp: {fixed: {bodies: [ground, bar.4]}}\n", 6, 36,
     "fixed 'clamp', bodies: bar 'bar' has no node '4': expected root, tip or a number from 0 to "
     "3"},
    {BAR "contacts:\n  wall: {point: bar.top, plane: {point: 0, normal: 1}}\n", 6, 17,
     "contact 'wall', point: bar 'bar' has no node 'top': expected root, tip or a number from 0"},
    {BAR "joints:\n  clamp: {fixed: {bodies: [bar.tip, bar.3]}}\n", 6, 27,
     "fixed 'clamp', bodies: expected two different bodies"},
    {HEAD "space: line\nbodies:\n  a: {kind: beam, elements: 3}\n", 4, 3,
     "body 'a': a body of kind: beam needs space: planar or space: spatial"},
    {BEAM "joints:\n  clamp: {fixed: {bodies: [ground, beam]}}\n", 5, 36,
     "fixed 'clamp', bodies: 'beam' is a beam: expected one of its nodes, such as beam.root"},
    {BEAM "joints:\n  clamp: {fixed: {bodies: [ground, beam.7]}}\n", 5, 36,
     "fixed 'clamp', bodies: beam 'beam' has no node '7': expected root, tip or a number from 0 to "
     "6"},
    {BEAM "contacts:\n  wall: {gap: beam.tip.x}\n", 5, 15, "unknown name 'beam.tip.x'"},
    {BAR "contacts:\n  wall: {gap: bar.x}\n", 6, 15, "unknown name 'bar.x'"},
    {BODIES "joints:\n  - fixed: {bodies: [a, b.tip]}\n", 6, 25,
     "fixed 'fixed-1', bodies: there is no body 'b.tip'; bodies: a, b, ground"},
    {BODIES "joints:\n  - revolut: {bodies: [a, b], at: [0, 0]}\n", 6, 5,
     "joints: there is no kind 'revolut'; did you mean 'revolute'?"},
    {BODIES "joints: 3\n", 5, 9, "joints: expected a list or a mapping, found a single value"},
    {BODIES "joints:\n  - revolute: {bodies: [a, c], at: [0, 0]}\n", 6, 28,
     "revolute 'revolute-1', bodies: there is no body 'c'; bodies: a, b, ground"},
    {HEAD "bodies:\n  a: {mass: 1, inertia: 1}\n  bar: {mass: 1, inertia: 1, position: [1, "
          "0]}\njoints:\n  - revolute: {bodies: [a, bra], at: [0, 0]}\n",
     6, 28, "revolute 'revolute-1', bodies: there is no body 'bra'; did you mean 'bar'?"},
    {BODIES "joints:\n  - revolute: {bodies: [a], at: [0, 0]}\n", 6, 24,
     "revolute 'revolute-1', bodies: expected a list of two bodies, found a list"},
    {BODIES "joints:\n  - revolute: {bodies: [a, a], at: [0, 0]}\n", 6, 24,
     "revolute 'revolute-1', bodies: expected two different bodies"},
    {BODIES "joints:\n  pin: {revolute: {bodies: [ground, ground], at: [0, 0]}}\n", 6, 28,
     "revolute 'pin', bodies: expected two different bodies"},
    {BODIES "joints:\n  pin: {revolute: {}, fixed: {}}\n", 6, 23,
     "joints: an entry is of one kind; 'fixed' is a second one"},
    {BODIES "joints:\n  - name: pin\n", 6, 5,
     "joints: expected a kind; kinds: revolute, prismatic, gear, belt, rack, fixed, distance"},
    {BODIES "joints:\n  - {name: pin, fixed: {bodies: [a, b]}}\n  - {name: pin, fixed: {bodies: "
            "[a, ground]}}\n",
     7, 12, "the name 'pin' is taken already at line 6"},
    {BODIES "joints:\n  s: {prismatic: {bodies: [ground, a], axis: [0, 0]}}\n", 6, 3,
     "prismatic 's': axis is zero; it must have a direction"},
    {BODIES "joints:\n  - revolute: {bodies: [a, b]}\n", 6, 15,
     "revolute 'revolute-1': 'at' is missing: the point they share, in the"},
    {BODIES "forces:\n  s: {spring: {points: [a, b], stiffness: -1}}\n", 6, 43,
     "spring 's', stiffness: it is -1, but must not be negative"},
    {BODIES "forces:\n  f: {force: {point: [a, [0, 0]], value: [sin(s*t), 0]}}\n", 6, 47,
     "force 'f', value: unknown name 's'; known here: a.x, a.vx"},
    {BODIES "forces:\n  f: {torque: {body: a, value: [1]}}\n", 6, 32,
     "torque 'f', value: expected an expression, found a list"},
    {BODIES "forces:\n  f: {torque: {body: a, value: 1/0}}\n", 6, 32,
     "torque 'f', value: '1/0' is infinite, not a finite number"},
    {BODIES "forces:\n  f: 3\n", 6, 3, "there is no coordinate 'f' for this force to act on"},
    {BODIES "forces:\n  f: {torque: {body: a, value: max(t, 1)}}\n", 6, 39,
     "torque 'f': unknown key '1)' (an expression with a comma needs quotes);"},
    {BODIES "forces:\n  f: {force: {point: [a], value: [1, 0]}}\n", 6, 22,
     "force 'f', point: expected a point of a body, [body, [x, y]]"},
    {BODIES "contacts:\n  c: {friction: 1}\n", 6, 3,
     "contact 'c': expected point with plane, circle or curve; disc or sphere with"},
    {BODIES "contacts:\n  c: {pont: [a, [0, 0]], plane: {point: [0, 0], normal: [0, 1]}}\n", 6, 7,
     "contact 'c': unknown key 'pont'; did you mean 'point'?"},
    {BODIES
     "contacts:\n  c: {point: a, plane: {point: [0, 0], normal: [0, 1]}, restitution: 1.5}\n",
     6, 70, "contact 'c', restitution: it is 1.5, but must be from 0 to 1"},
    {BODIES "contacts:\n  c: {point: a, plane: {point: [0, 0], normal: [0, 1]}, "
            "restitution: {value: 0.5, above: -1}}\n",
     6, 90, "contact 'c', restitution, above: it is -1, but must not be negative"},
    {BODIES "contacts:\n  c: {point: a, plane: {point: [0, 0], normal: [0, 1]}, "
            "restitution: {above: 1}}\n",
     6, 70, "contact 'c', restitution: 'value' is missing"},
    {BODIES "contacts:\n  c: {point: a, plane: {point: [0, 0], normal: [0, 1]}, friction: -0.1}\n",
     6, 67, "contact 'c', friction: it is -0.1, but must not be negative"},
    {BODIES "contacts:\n  c: {point: a, plane: {point: [0, 0], normal: [0, 0]}}\n", 6, 3,
     "disc-plane 'c': plane.normal is zero; it must have a direction"},
    {BODIES "contacts:\n  c: {point: a, plane: {pont: [0, 0], normal: [0, 0]}}\n", 6, 25,
     "contact 'c', plane: unknown key 'pont'; did you mean 'point'?"},
    {BODIES "contacts:\n  c: {point: a, plane: {point: [0, 0]}}\n", 6, 24,
     "contact 'c', plane: 'normal' is missing: out of the material, in its"},
    {BODIES "contacts:\n  c: {point: a, curve: {f: 3}}\n", 6, 28,
     "contact 'c', curve, f: expected an expression of x and y"},
    {BODIES "contacts:\n  c: {point: a, curve: {f: y - exp(z)}}\n", 6, 36,
     "contact 'c', curve, f: unknown name 'z'; known here: x, y"},
    {BODIES "contacts:\n  a: {point: a, plane: {point: [0, 0], normal: [0, 1]}}\n", 6, 3,
     "the name 'a' is taken already at line 3"},
    {BODIES "contacts:\n  c: {disc: a, radius: 1, other: b, other_radius: 2, inside: yes}\n", 6, 62,
     "contact 'c', inside: expected true or false"},
    {BODIES
     "contacts:\n  c: {point: a, disc: b, radius: 1, plane: {point: [0, 0], normal: [0, 1]}}\n",
     6, 7, "contact 'c': unknown key 'point'; allowed: disc, radius, plane, rolling, friction,"},
    {HEAD "parameters: {m: 1, g: 9.81}\ncoordinates: {x: 0, pi: 1}\nkinetic: m/2*(x'^2 + y'^2)\n",
     3, 21, "a coordinate cannot be called 'pi': expressions know this name"},
    {HEAD "coordinates: {time: 0}\nkinetic: time'^2/2\n", 2, 15,
     "a coordinate cannot be called 'time': results call the time so"},
    {HEAD "parameters: {m: 1, g: 9.81}\ncoordinates: {x: 0, m: 1}\nkinetic: m/2*(x'^2 + y'^2)\n", 3,
     21, "a coordinate cannot be called 'm': so is a parameter"},
    {HEAD "parameters: {m: 1, g: 9.81}\ncoordinates: {x: 0, y-z: 1}\nkinetic: m/2*(x'^2 + y'^2)\n",
     3, 21, "a coordinate cannot be called 'y-z': in an expression '-' is a minus"},
    {HEAD "parameters: {m: 1, g: 9.81}\ncoordinates: {x: 0, y: [1]}\nkinetic: m/2*(x'^2 + y'^2)\n",
     3, 24, "coordinate 'y': expected a mapping, found a list"},
    {HEAD "parameters: {m: 1, g: 9.81}\ncoordinates: {x: 0, y: 1}\nkinetic: m/2*(x'^2 + z'^2)\n", 4,
     22, "unknown name 'z''; did you mean 'x''?"},
    {HEAD "parameters: {m: 1, g: 9.81}\ncoordinates: {x: 0, y: 1}\nkinetic: m/2*(x'^2 + y'^3)\n", 4,
     10, "the kinetic energy is not quadratic in the velocities; write it as a sum"},
    {FORMULAS "potential: m*y'\n", 5, 12,
     "the potential depends on a velocity; make it a function of time and"},
    {FORMULAS "potential: [1]\n", 5, 12, "expected an expression, found a list"},
    {FORMULAS "forces: {z: 1}\n", 5, 10,
     "there is no coordinate 'z' for this force to act on; coordinates: x, y"},
    {FORMULAS "forces: {x': 1}\n", 5, 10,
     "there is no coordinate 'x'' for this force to act on; did you mean 'x'?"},
    {FORMULAS "contacts: {c: {gap: y'}}\n", 5, 12,
     "the gap of contact 'c' depends on a velocity; make it a function of time"},
    {FORMULAS "contacts: {c: {gap: 1}}\n", 5, 21, "expected a gap that depends on a coordinate"},
    {FORMULAS "contacts: {c: {gap: y, friction: 1}}\n", 5, 24,
     "contact 'c': friction needs 'slip', the sliding velocity"},
    {FORMULAS "contacts: {c: {gap: y, slip: x'}}\n", 5, 30,
     "contact 'c': 'slip' without 'friction' has no meaning"},
    {FORMULAS "contacts:\n  c: {gap: y, slip: x'^2, friction: 1}\n", 6, 3,
     "the slip of contact 'c' is not linear in the velocities; divide by no"},
    {FORMULAS "contacts: {c: {gap: y, slip: [x', x', x', x'], friction: 1}}\n", 5, 30,
     "expected 1 to 3 sliding velocities, found 4"},
    {FORMULAS "contacts:\n  c:\n    gap: (y - exp(-x)\n", 7, 22, "expected ')', but the text ends"},
    {FORMULAS "constraints: {c: 3}\n", 5, 15,
     "expected a formula of coordinates; this one has none"},
    {FORMULAS "constraints: {c: {velocit: x'}}\n", 5, 19,
     "constraint 'c': unknown key 'velocit'; did you mean 'velocity'?"},
    {FORMULAS "constraints: {c: {velocity: x'*y'}}\n", 5, 15,
     "constraint 'c': constraint on the velocity is not linear in the velocities"},
    {FORMULAS "constraints: {c: x - y'}\n", 5, 15,
     "constraint 'c': constraint on the position depends on a velocity; give it"},
    {FORMULAS "constraints: [x]\n", 5, 14,
     "constraints: expected a mapping of names to formulas, found a list"},
    {HEAD "parameters: {m: 1, g: 9.81}\ncoordinates: {x: 0, y: 1}\nkinetic: 3\n", 4, 10,
     "expected a formula of coordinates; this one has none"},
    {BODIES "simulate: {scheme: moreau-jan}\n", 5, 20,
     "there is no scheme 'moreau-jan'; did you mean 'moreau-jean'?"},
    {BODIES "simulate: {schem: moreau}\n", 5, 12,
     "simulate: unknown key 'schem'; did you mean 'scheme'?"},
    {BODIES "simulate: {dt: -1}\n", 5, 16, "dt is '-1'; it must be positive and at most 1e12 [s]"},
    {BODIES "simulate: {dt: abc}\n", 5, 16,
     "dt is 'abc'; it must be positive and at most 1e12 [s]"},
    {BODIES "simulate: {until: 0}\n", 5, 19, "until is 0; it must be positive"},
    {BODIES "simulate: [1]\n", 5, 11, "simulate: expected a mapping, found a list"},
    {BODIES "simulate: {theta: 0.2}\n", 5, 19, "theta is '0.2'; it must be 0.5 to 1"},
    {BODIES "simulate: {scheme: [1]}\n", 5, 20, "expected the name of a scheme, found a list"},
    {BODIES "record: [a.x, a.angel]\n", 5, 15,
     "there is no quantity 'a.angel' to record; did you mean 'a.angle'?"},
    {BODIES "exact: 1\n", 5, 8,
     "exact: expected a mapping of quantities to formulas of t, found a"},
    {BODIES "exact: {a.angel: t}\n", 5, 9,
     "exact: 'a.angel' is no coordinate, velocity or percussion of the model; did you mean "
     "'a.angle'"},
    {FORMULAS "contacts: {c: {gap: y}}\nexact: {c.gap: 1}\n", 6, 9,
     "exact: 'c.gap' is no coordinate, velocity or percussion of the model"},
    {FORMULAS "exact: {x: 2*tt}\n", 5, 14, "exact x: unknown name 'tt'"},
    {FORMULAS "exact: {x: y, y: t}\n", 5, 12, "exact x: unknown name 'y'"},
    {FORMULAS "exact: {x: 2*}\n", 5, 14, "exact x: expected a number, a name or '('"},
    {FORMULAS "exact: {x: [t]}\n", 5, 12, "exact x: expected an expression, found a list"},
    {FORMULAS "exact: {where: {m: 1}, x: t}\n", 5, 17,
     "the name 'm' is taken already by a parameter"},
    {FORMULAS "exact: {where: {y: 1}, x: t}\n", 5, 17,
     "the name 'y' is taken already by a quantity of the model"},
    {FORMULAS "exact: {where: {sin: 1}, x: t}\n", 5, 17, "'sin' cannot be a name in formulas"},
    {FORMULAS "exact: {where: {a: b, b: t}, x: a}\n", 5, 20, "exact a: unknown name 'b'"},
    {BODIES "record: a.x\n", 5, 9,
     "record: expected a list of names, or a mapping of names to formulas, found a single value"},
    {BODIES "record: [[a.x]]\n", 5, 10, "expected the name of a quantity, found a list"},
    {BODIES "record: ['']\n", 5, 10,
     "there is no quantity '' to record; quantities: a.x, a.y, a.angle, a.vx,"},
    {HEAD "gravity: [0, \"2 + gg\"]\n", 2, 19,
     "gravity: unknown name 'gg'; the model has no parameters"},
    {HEAD
     "parameters: {m: 1, g: 9.81}\ncoordinates: {x: 0, y: 1}\nkinetic: m/2*x'^2\n  + m/2*z'^2\n",
     4, 10, "unknown name 'z''; did you mean 'x''?"},
    {"a: &a [x,x,x]\nb: &b [*a,*a]\n", 1, 4, "anchors ('&a') are not allowed in a model file"},
};

/* The error of a text, which must be a bad model and leave nothing behind. */
static pc_error error_of(const char* text, size_t size)
{
  pc_error error = {0};
  pc_model* model = (pc_model*)&error;
  pc_status status = pc_model_read_text(text, size, NULL, 0, &model, &error);
  if (status != PC_BAD_MODEL) print_error("%.400s\n", text);
  assert_int_equal(status, PC_BAD_MODEL);
  assert_int_equal(error.status, PC_BAD_MODEL);
  assert_null(model);
  return error;
}

static void every_bad_model_has_one_error_at_its_place(void** state)
{
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof bad_models / sizeof *bad_models; i++) {
    const bad_model* bad = &bad_models[i];
    pc_error error = error_of(bad->text, strlen(bad->text));
    if (error.line == bad->line && error.column == bad->column &&
        strstr(error.text, bad->fragment) && !strchr(error.text, '\n'))
      continue;
    wrong++;
    print_error("%s-> %d:%d: %s\nnot %d:%d: %s\n\n", bad->text, error.line, error.column,
                error.text, bad->line, bad->column, bad->fragment);
  }
  assert_int_equal(wrong, 0);
}

static void nobody_needs_to_listen_to_an_error(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad_models / sizeof *bad_models; i++) {
    pc_model* model = NULL;
    const char* text = bad_models[i].text;
    assert_int_equal(pc_model_read_text(text, strlen(text), NULL, 0, &model, NULL), PC_BAD_MODEL);
  }
}

static void an_error_is_one_line_whatever_the_file_holds(void** state)
{
  (void)state;
  const char text[] = HEAD "\"a\\nb\\tc\\x7f\": 1\n";
  pc_error error = error_of(text, sizeof text - 1);
  for (const char* c = error.text; *c; c++) assert_true(*c >= ' ' && *c != 127);
}

static void long_names_do_not_drown_the_error(void** state)
{
  (void)state;
  size_t size = 2000000;
  char* text = malloc(size + 100);
  int start = sprintf(text, HEAD);
  memset(text + start, 'x', size);
  strcpy(text + start + size, ": 1\n");
  pc_error error = error_of(text, strlen(text));
  assert_int_equal(error.line, 2);
  free(text);
}

static void a_file_that_is_not_there_is_an_error_without_a_place(void** state)
{
  (void)state;
  pc_model* model = NULL;
  pc_error error = {.line = 7};
  assert_int_equal(pc_model_read("no-such-file.yaml", NULL, 0, &model, &error), PC_BAD_MODEL);
  assert_non_null(strstr(error.text, "cannot open"));
  assert_int_equal(error.line, 0);
  assert_int_equal(pc_model_read(PC_SOURCE_DIR, NULL, 0, &model, &error), PC_BAD_MODEL);
}

static void a_number_in_an_expression_is_found_behind_wide_characters(void** state)
{
  (void)state;
  const char text[] = HEAD "parameters: {b: '1 + é'}\n";
  pc_error error = error_of(text, sizeof text - 1);
  assert_int_equal(error.line, 2);
  assert_int_equal(error.column, 22);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_bad_model_has_one_error_at_its_place),
      cmocka_unit_test(nobody_needs_to_listen_to_an_error),
      cmocka_unit_test(an_error_is_one_line_whatever_the_file_holds),
      cmocka_unit_test(long_names_do_not_drown_the_error),
      cmocka_unit_test(a_file_that_is_not_there_is_an_error_without_a_place),
      cmocka_unit_test(a_number_in_an_expression_is_found_behind_wide_characters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
