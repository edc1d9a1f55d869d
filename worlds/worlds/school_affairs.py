"""School affairs

The academic affairs office (教务处) of a Chinese secondary school. Lessons are dated; teachers
ask for leave and are substituted; lessons are swapped, moved to another room or cancelled;
exams get rooms and invigilators; notices and text messages go to the families. Names, notes and
messages are Chinese; all times are school time (UTC+8), dates YYYY-MM-DD, periods 1 to 8.

Rules:
- A lesson of the past is never changed; a lesson of today is changed after 07:30 only by the 教务主任.
- 教务员 and 教务主任 change lessons and exams of all classes; a 班主任 only changes rooms of lessons of the own class.
- A substitute is set only while the teacher's leave for that day is approved, teaches the same subject (自习 may be watched by anyone), is free, and has at most 6 lessons on the day.
- Two lessons are swapped only within one class, and only when both teachers and both rooms are free at the new times.
- A room holds one lesson or exam at a time, is not 停用, and has a seat for every student of the class.
- A leave of staff up to 3 days is reviewed by the 教务主任, a longer one by the 校长; nobody reviews the own leave.
- A leave of a student up to 2 days is reviewed by the 班主任 of the class or the 教务主任, a longer one only by the 教务主任; a rejection needs a comment.
- An exam room has two invigilators who are free in all periods of the exam and do not teach its subject.
- An exam is published at least one day before, when every student of the grade has a seat and every room its invigilators; afterwards only the 教务主任 changes it.
- Notices are published between 07:00 and 21:00, by the 班主任 of the class, a 教务员 or the 教务主任; within 2 hours the author or the 教务主任 can withdraw them.
"""

import copy
import re
from datetime import date, datetime, timedelta, timezone
from typing import Dict, List, Literal, Optional, TypedDict

_SCHOOL_ZONE = timezone(timedelta(hours=8))
_CHANGE_CUTOFF = "07:30"
_DAILY_LESSONS = 6
_STAFF_LEAVE_DAYS = 3
_STUDENT_LEAVE_DAYS = 2
_WITHDRAW_HOURS = 2
_TEXT_LIMIT = 2000


class ClassInfo(TypedDict):
    class_id: str
    name: str
    grade: str  # 高一, 高二, 高三
    head_teacher_id: str
    student_count: int


class StaffInfo(TypedDict):
    staff_id: str
    name: str
    role: str  # 教师, 班主任, 教务员, 教务主任, 校长
    subject: Optional[str]
    phone: str
    notes: str  # free text


class StudentInfo(TypedDict):
    student_id: str
    name: str
    class_id: str
    guardian: str
    guardian_phone: str
    notes: str  # free text


class RoomInfo(TypedDict):
    room_id: str
    name: str
    kind: str  # 普通教室, 实验室, 阶梯教室
    seats: int
    exam_seats: int  # candidates when seats between them stay empty
    status: str  # 可用, 停用
    remark: str  # free text


class LessonInfo(TypedDict):
    lesson_id: str
    date: str
    period: int
    class_id: str
    subject: str
    teacher_id: str
    substitute_id: Optional[str]
    room_id: str
    status: str  # 正常, 已取消
    remark: str  # free text


class LeaveInfo(TypedDict):
    leave_id: str
    applicant_id: str  # staff or student
    kind: str  # 事假, 病假, 公假
    start_date: str
    end_date: str
    reason: str  # free text
    status: str  # 待审批, 已批准, 已驳回
    reviewer_id: Optional[str]
    comment: str  # free text


class ExamInfo(TypedDict):
    exam_id: str
    name: str
    grade: str
    subject: str
    date: str
    first_period: int
    last_period: int
    status: str  # 筹备, 已发布
    remark: str  # free text


class ExamRoomInfo(TypedDict):
    exam_room_id: str
    exam_id: str
    room_id: str
    class_id: str
    candidates: int
    invigilators: List[str]  # two staff ids


class NoticeInfo(TypedDict):
    notice_id: str
    class_id: str
    title: str
    content: str  # free text
    author_id: str
    status: str  # 草稿, 已发布, 已撤回
    published_at: Optional[str]


class WorkLogInfo(TypedDict):
    log_id: str
    author_id: str
    written_at: str
    content: str  # free text


class MessageInfo(TypedDict):
    message_id: str
    recipient: str
    content: str
    operator_id: str
    sent_at: str


def _ok(data) -> dict:
    return {"success": True, "data": copy.deepcopy(data)}


def _fail(error: str) -> dict:
    return {"success": False, "error": error}


def _is_date(text: str) -> bool:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _days(start: str, end: str) -> int:
    """Calendar days of a leave, both ends included."""
    return (date.fromisoformat(end) - date.fromisoformat(start)).days + 1


class SchoolAffairs:
    def __init__(self, config: dict):
        """Load the state; every top-level key of config becomes an attribute."""
        self.classes: Dict[str, ClassInfo] = config.get("classes", {})
        self.staff: Dict[str, StaffInfo] = config.get("staff", {})
        self.students: Dict[str, StudentInfo] = config.get("students", {})
        self.rooms: Dict[str, RoomInfo] = config.get("rooms", {})
        self.lessons: Dict[str, LessonInfo] = config.get("lessons", {})
        self.leaves: Dict[str, LeaveInfo] = config.get("leaves", {})
        self.exams: Dict[str, ExamInfo] = config.get("exams", {})
        self.exam_rooms: Dict[str, ExamRoomInfo] = config.get("exam_rooms", {})
        self.notices: Dict[str, NoticeInfo] = config.get("notices", {})
        self.work_logs: Dict[str, WorkLogInfo] = config.get("work_logs", {})
        self.messages: Dict[str, MessageInfo] = config.get("messages", {})
        self.next_leave_no: int = config.get("next_leave_no", 1)
        self.next_exam_room_no: int = config.get("next_exam_room_no", 1)
        self.next_notice_no: int = config.get("next_notice_no", 1)
        self.next_log_no: int = config.get("next_log_no", 1)
        self.next_message_no: int = config.get("next_message_no", 1)

    def _now(self) -> datetime:
        return datetime.now(_SCHOOL_ZONE)

    def _stamp(self) -> str:
        return self._now().strftime("%Y-%m-%d %H:%M")

    def _denied(self, staff_id: str, roles: tuple, class_id: Optional[str] = None) -> Optional[str]:
        """Why the person may not act with one of the roles (a 班主任: in the class), or None."""
        person = self.staff.get(staff_id)
        if person is None:
            return f"工号 {staff_id} 不存在"
        if person["role"] not in roles:
            return f"{person['role']}无权执行此操作，需要：{'、'.join(roles)}"
        if person["role"] == "班主任" and class_id is not None and self.classes[class_id]["head_teacher_id"] != staff_id:
            return f"{person['name']}只能操作自己任班主任的班级"
        return None

    def _too_late(self, lesson: LessonInfo, operator_id: str) -> Optional[str]:
        """Why the lesson can no longer be changed by the person, or None."""
        day, clock = self._stamp().split(" ")
        if lesson["status"] != "正常":
            return f"课程 {lesson['lesson_id']} 已取消"
        if lesson["date"] < day:
            return f"课程 {lesson['lesson_id']} 已经上过，不能更改"
        if lesson["date"] == day and clock >= _CHANGE_CUTOFF and self.staff[operator_id]["role"] != "教务主任":
            return "当天 07:30 以后只有教务主任可以更改当天的课"
        return None

    def _on_leave(self, person_id: str, day: str) -> bool:
        for leave in self.leaves.values():
            if leave["applicant_id"] == person_id and leave["status"] == "已批准" and leave["start_date"] <= day <= leave["end_date"]:
                return True
        return False

    def _lessons_of(self, staff_id: str, day: str) -> List[LessonInfo]:
        """The lessons the person really gives on the day."""
        return [x for x in self.lessons.values() if x["date"] == day and x["status"] == "正常" and (x["substitute_id"] or x["teacher_id"]) == staff_id]

    def _covers(self, exam: ExamInfo, day: str, period: int) -> bool:
        return exam["date"] == day and exam["first_period"] <= period <= exam["last_period"]

    def _engaged(self, staff_id: str, day: str, period: int, ignore: tuple = ()) -> Optional[str]:
        """What keeps the person busy in the period, or None; ignore has ids of lessons and exam rooms."""
        name = self.staff[staff_id]["name"]
        if self._on_leave(staff_id, day):
            return f"{name} {day} 请假"
        for lesson in self._lessons_of(staff_id, day):
            if lesson["period"] == period and lesson["lesson_id"] not in ignore:
                return f"{name} {day} 第 {period} 节有课（{lesson['lesson_id']}）"
        for room in self.exam_rooms.values():
            if staff_id in room["invigilators"] and room["exam_room_id"] not in ignore and self._covers(self.exams[room["exam_id"]], day, period):
                return f"{name} {day} 第 {period} 节有监考（{room['exam_room_id']}）"
        return None

    def _room_taken(self, room_id: str, day: str, period: int, ignore: tuple = ()) -> Optional[str]:
        """What occupies the room in the period, or None."""
        for lesson in self.lessons.values():
            if (lesson["room_id"], lesson["date"], lesson["period"], lesson["status"]) == (room_id, day, period, "正常") and lesson["lesson_id"] not in ignore:
                return f"{self.rooms[room_id]['name']} {day} 第 {period} 节有课（{lesson['lesson_id']}）"
        for room in self.exam_rooms.values():
            if room["room_id"] == room_id and self._covers(self.exams[room["exam_id"]], day, period):
                return f"{self.rooms[room_id]['name']} {day} 第 {period} 节有考试（{room['exam_room_id']}）"
        return None

    def _unready(self, exam: ExamInfo) -> Optional[str]:
        """What an exam lacks before it can be published, or None."""
        seated: Dict[str, int] = {}
        for room in self.exam_rooms.values():
            if room["exam_id"] == exam["exam_id"]:
                seated[room["class_id"]] = seated.get(room["class_id"], 0) + room["candidates"]
                if len(room["invigilators"]) != 2:
                    return f"考场 {room['exam_room_id']} 还没有两名监考"
        for group in self.classes.values():
            if group["grade"] == exam["grade"] and seated.get(group["class_id"], 0) != group["student_count"]:
                return f"{group['name']} {group['student_count']} 人，已安排 {seated.get(group['class_id'], 0)} 人"
        return None

    def list_classes(self, grade: Optional[Literal["高一", "高二", "高三"]] = None) -> dict:
        """List classes with their head teachers and number of students.

        Args:
            grade (str): Only classes of this grade; all when omitted.
        Returns:
            dict: data is a list of classes, with head_teacher as a name.
        Effect: read
        """
        rows = [c for c in self.classes.values() if grade in (None, c["grade"])]
        return _ok([dict(c, head_teacher=self.staff[c["head_teacher_id"]]["name"]) for c in rows])

    def find_staff(self, name: Optional[str] = None, role: Optional[Literal["教师", "班主任", "教务员", "教务主任", "校长"]] = None, subject: Optional[str] = None) -> dict:
        """Find staff by a part of the name, role and subject.

        Args:
            name (str): Name or a part of it; all when omitted.
            role (str): Role of the person; all when omitted.
            subject (str): Subject the person teaches; all when omitted.
        Returns:
            dict: data is a list of staff with phone and notes.
        Effect: read
        """
        found = [s for s in self.staff.values() if (name is None or name in s["name"]) and role in (None, s["role"]) and subject in (None, s["subject"])]
        return _ok(found) if found else _fail("没有符合条件的教职工")

    def find_student(self, name: Optional[str] = None, class_id: Optional[str] = None) -> dict:
        """Find students by a part of the name, or all students on record of a class.

        Args:
            name (str): Name or a part of it, in Chinese.
            class_id (str): Only students of this class; all when omitted.
        Returns:
            dict: data is a list of students with guardian, phone and notes.
        Effect: read
        """
        if not (name or "").strip() and class_id is None:
            return _fail("请提供学生姓名或班级")
        found = [s for s in self.students.values() if (name or "").strip() in s["name"] and class_id in (None, s["class_id"])]
        return _ok(found) if found else _fail("没有符合条件的学生")

    def list_rooms(self, kind: Optional[Literal["普通教室", "实验室", "阶梯教室"]] = None, free_on: Optional[str] = None, free_period: Optional[int] = None) -> dict:
        """List rooms with seats and remarks.

        Args:
            kind (str): Only rooms of this kind; all when omitted.
            free_on (str): With free_period: only rooms free on this date (YYYY-MM-DD).
            free_period (int): With free_on: only rooms free in this period.
        Returns:
            dict: data is a list of rooms.
        Effect: read
        """
        rooms = [r for r in self.rooms.values() if kind in (None, r["kind"])]
        if free_on is not None and free_period is not None:
            rooms = [r for r in rooms if r["status"] == "可用" and self._room_taken(r["room_id"], free_on, free_period) is None]
        return _ok(rooms)

    def list_lessons(self, date: str, class_id: Optional[str] = None, staff_id: Optional[str] = None) -> dict:
        """List the lessons of a day by period.

        Args:
            date (str): Date YYYY-MM-DD.
            class_id (str): Only lessons of this class; all when omitted.
            staff_id (str): Only lessons this person gives or should give; all when omitted.
        Returns:
            dict: data is a list of lessons with their remarks.
        Effect: read
        """
        rows = [x for x in self.lessons.values() if x["date"] == date and class_id in (None, x["class_id"]) and staff_id in (None, x["teacher_id"], x["substitute_id"])]
        return _ok(sorted(rows, key=lambda x: (x["period"], x["lesson_id"])))

    def find_free_teachers(self, date: str, period: int, subject: Optional[str] = None) -> dict:
        """Find teachers who are free in a period, those with few lessons on the day first.

        Args:
            date (str): Date YYYY-MM-DD.
            period (int): Period 1 to 8.
            subject (str): Only teachers of this subject; all when omitted.
        Returns:
            dict: data is a list with staff_id, name, subject, lessons_today and notes.
        Effect: read
        """
        rows = []
        for person in self.staff.values():
            if person["role"] in ("教师", "班主任") and subject in (None, person["subject"]) and self._engaged(person["staff_id"], date, period) is None:
                row = {key: person[key] for key in ("staff_id", "name", "subject", "notes")}
                row["lessons_today"] = len(self._lessons_of(person["staff_id"], date))
                rows.append(row)
        return _ok(sorted(rows, key=lambda r: (r["lessons_today"], r["staff_id"])))

    def list_leaves(self, status: Optional[Literal["待审批", "已批准", "已驳回"]] = None, applicant: Optional[Literal["教职工", "学生"]] = None, class_id: Optional[str] = None) -> dict:
        """List leaves with names and days, the earliest start first.

        Args:
            status (str): Only leaves in this status; all when omitted.
            applicant (str): 教职工 or 学生; both when omitted.
            class_id (str): Only leaves of students of this class; all when omitted.
        Returns:
            dict: data is a list of leaves with reason, comment, name and days.
        Effect: read
        """
        rows = []
        for leave in sorted(self.leaves.values(), key=lambda v: (v["start_date"], v["leave_id"])):
            student = self.students.get(leave["applicant_id"])
            if status not in (None, leave["status"]) or applicant not in (None, "学生" if student else "教职工"):
                continue
            if class_id is not None and (student is None or student["class_id"] != class_id):
                continue
            person = student or self.staff[leave["applicant_id"]]
            rows.append(dict(leave, name=person["name"], days=_days(leave["start_date"], leave["end_date"])))
        return _ok(rows)

    def list_exams(self, grade: Optional[Literal["高一", "高二", "高三"]] = None, status: Optional[Literal["筹备", "已发布"]] = None) -> dict:
        """List exams with their rooms and invigilators.

        Args:
            grade (str): Only exams of this grade; all when omitted.
            status (str): Only exams in this status; all when omitted.
        Returns:
            dict: data is a list of exams, each with rooms and missing (null when it can be published).
        Effect: read
        """
        rows = []
        for exam in sorted(self.exams.values(), key=lambda e: (e["date"], e["first_period"], e["exam_id"])):
            if grade in (None, exam["grade"]) and status in (None, exam["status"]):
                rooms = [r for r in self.exam_rooms.values() if r["exam_id"] == exam["exam_id"]]
                rows.append(dict(exam, rooms=rooms, missing=self._unready(exam)))
        return _ok(rows)

    def list_notices(self, class_id: Optional[str] = None, status: Optional[Literal["草稿", "已发布", "已撤回"]] = None) -> dict:
        """List notices to families.

        Args:
            class_id (str): Only notices to this class; all when omitted.
            status (str): Only notices in this status; all when omitted.
        Returns:
            dict: data is a list of notices.
        Effect: read
        """
        return _ok([n for n in self.notices.values() if class_id in (None, n["class_id"]) and status in (None, n["status"])])

    def list_work_logs(self, since: Optional[str] = None) -> dict:
        """List the entries of the office's work log, oldest first.

        Args:
            since (str): Only entries of this date (YYYY-MM-DD) or later; all when omitted.
        Returns:
            dict: data is a list of entries.
        Effect: read
        """
        rows = [x for x in self.work_logs.values() if since is None or x["written_at"] >= since]
        return _ok(sorted(rows, key=lambda x: (x["written_at"], x["log_id"])))

    def submit_leave(self, applicant_id: str, kind: Literal["事假", "病假", "公假"], start_date: str, end_date: str, reason: str, operator_id: str) -> dict:
        """Enter a leave of a member of staff or of a student.

        Args:
            applicant_id (str): Staff id or student id.
            kind (str): 事假, 病假 or 公假.
            start_date (str): First day YYYY-MM-DD, not before today.
            end_date (str): Last day YYYY-MM-DD.
            reason (str): Reason in the applicant's words.
            operator_id (str): Who enters it: the applicant, a 班主任 for the own class, 教务员 or 教务主任.
        Returns:
            dict: data is the leave, in status 待审批.
        Effect: write
        """
        student = self.students.get(applicant_id)
        if student is None and applicant_id not in self.staff:
            return _fail("申请人不存在")
        if operator_id != applicant_id or operator_id not in self.staff:
            roles = ("班主任", "教务员", "教务主任") if student else ("教务员", "教务主任")
            problem = self._denied(operator_id, roles, student["class_id"] if student else None)
            if problem:
                return _fail(problem)
        if kind not in ("事假", "病假", "公假"):
            return _fail("未知的请假类型")
        if not _is_date(start_date) or not _is_date(end_date) or end_date < start_date or start_date < self._stamp()[:10]:
            return _fail("请假日期须为 YYYY-MM-DD，不早于今天，且结束不早于开始")
        for leave in self.leaves.values():
            if leave["applicant_id"] == applicant_id and leave["status"] != "已驳回" and leave["start_date"] <= end_date and start_date <= leave["end_date"]:
                return _fail(f"与请假 {leave['leave_id']} 的日期重叠")
        leave_id = f"QJ{self.next_leave_no}"
        self.next_leave_no += 1
        self.leaves[leave_id] = {
            "leave_id": leave_id, "applicant_id": applicant_id, "kind": kind, "start_date": start_date, "end_date": end_date,
            "reason": reason, "status": "待审批", "reviewer_id": None, "comment": "",
        }
        return _ok(self.leaves[leave_id])

    def review_leave(self, leave_id: str, decision: Literal["已批准", "已驳回"], operator_id: str, comment: str = "") -> dict:
        """Approve or reject a leave that waits for review.

        Args:
            leave_id (str): Leave in status 待审批.
            decision (str): 已批准 or 已驳回.
            operator_id (str): Staff id of the reviewer.
            comment (str): Comment of the reviewer; needed for a rejection.
        Returns:
            dict: data is the leave.
        Effect: write
        """
        leave = self.leaves.get(leave_id)
        if leave is None or leave["status"] != "待审批":
            return _fail("请假单不存在或已审批")
        days = _days(leave["start_date"], leave["end_date"])
        student = self.students.get(leave["applicant_id"])
        if student is not None:
            roles = ("班主任", "教务主任") if days <= _STUDENT_LEAVE_DAYS else ("教务主任",)
        else:
            roles = ("教务主任",) if days <= _STAFF_LEAVE_DAYS else ("校长",)
        problem = self._denied(operator_id, roles, student["class_id"] if student else None)
        if problem:
            return _fail(problem)
        if operator_id == leave["applicant_id"]:
            return _fail("不能审批自己的请假")
        if decision not in ("已批准", "已驳回") or (decision == "已驳回" and not comment.strip()):
            return _fail("审批结果须为已批准或已驳回，驳回须写明理由")
        leave["status"] = decision
        leave["reviewer_id"] = operator_id
        leave["comment"] = comment
        return _ok(leave)

    def assign_substitute(self, lesson_id: str, substitute_id: str, operator_id: str, remark: Optional[str] = None) -> dict:
        """Let another teacher give a lesson whose teacher is on approved leave.

        Args:
            lesson_id (str): Lesson id.
            substitute_id (str): Staff id of the substitute.
            operator_id (str): Staff id of 教务员 or 教务主任.
            remark (str): New remark of the lesson; unchanged when omitted.
        Returns:
            dict: data is the lesson.
        Effect: write
        """
        problem = self._denied(operator_id, ("教务员", "教务主任"))
        if problem:
            return _fail(problem)
        lesson, person = self.lessons.get(lesson_id), self.staff.get(substitute_id)
        if lesson is None or person is None or substitute_id == lesson["teacher_id"]:
            return _fail("课程或代课教师不存在，或代课教师就是任课教师")
        problem = self._too_late(lesson, operator_id)
        if problem:
            return _fail(problem)
        if not self._on_leave(lesson["teacher_id"], lesson["date"]):
            return _fail("任课教师当天没有已批准的请假")
        if lesson["subject"] not in ("自习", person["subject"]):
            return _fail(f"{person['name']}不教{lesson['subject']}")
        problem = self._engaged(substitute_id, lesson["date"], lesson["period"])
        if problem:
            return _fail(problem)
        if len(self._lessons_of(substitute_id, lesson["date"])) >= _DAILY_LESSONS:
            return _fail(f"{person['name']}当天已有 {_DAILY_LESSONS} 节课")
        lesson["substitute_id"] = substitute_id
        if remark is not None:
            lesson["remark"] = remark
        return _ok(lesson)

    def swap_lessons(self, lesson_id: str, other_lesson_id: str, operator_id: str, remark: Optional[str] = None) -> dict:
        """Swap date and period of two lessons of one class; teachers and rooms go with the lessons.

        Args:
            lesson_id (str): First lesson.
            other_lesson_id (str): Second lesson.
            operator_id (str): Staff id of 教务员 or 教务主任.
            remark (str): New remark of both lessons; unchanged when omitted.
        Returns:
            dict: data is a list of the two lessons.
        Effect: write
        """
        problem = self._denied(operator_id, ("教务员", "教务主任"))
        if problem:
            return _fail(problem)
        first, second = self.lessons.get(lesson_id), self.lessons.get(other_lesson_id)
        if first is None or second is None or first is second or first["class_id"] != second["class_id"]:
            return _fail("两节课须存在、不同，且属于同一个班")
        both = (lesson_id, other_lesson_id)
        for lesson, target in ((first, second), (second, first)):
            giver = lesson["substitute_id"] or lesson["teacher_id"]
            problem = self._too_late(lesson, operator_id)
            problem = problem or self._engaged(giver, target["date"], target["period"], both)
            problem = problem or self._room_taken(lesson["room_id"], target["date"], target["period"], both)
            if problem:
                return _fail(problem)
        first["date"], second["date"] = second["date"], first["date"]
        first["period"], second["period"] = second["period"], first["period"]
        if remark is not None:
            first["remark"] = remark
            second["remark"] = remark
        return _ok([first, second])

    def change_room(self, lesson_id: str, room_id: str, operator_id: str, remark: Optional[str] = None) -> dict:
        """Move a lesson to another free room.

        Args:
            lesson_id (str): Lesson id.
            room_id (str): New room with enough seats.
            operator_id (str): Staff id of 教务员, 教务主任 or the 班主任 of the class.
            remark (str): New remark of the lesson; unchanged when omitted.
        Returns:
            dict: data is the lesson.
        Effect: write
        """
        lesson, room = self.lessons.get(lesson_id), self.rooms.get(room_id)
        if lesson is None or room is None:
            return _fail("课程或教室不存在")
        problem = self._denied(operator_id, ("班主任", "教务员", "教务主任"), lesson["class_id"])
        problem = problem or self._too_late(lesson, operator_id)
        if problem:
            return _fail(problem)
        if room["status"] != "可用" or room["seats"] < self.classes[lesson["class_id"]]["student_count"]:
            return _fail("教室停用或座位不足")
        problem = self._room_taken(room_id, lesson["date"], lesson["period"])
        if problem:
            return _fail(problem)
        lesson["room_id"] = room_id
        if remark is not None:
            lesson["remark"] = remark
        return _ok(lesson)

    def cancel_lesson(self, lesson_id: str, reason: str, operator_id: str) -> dict:
        """Cancel a lesson.

        Args:
            lesson_id (str): Lesson id.
            reason (str): Why; replaces the remark of the lesson.
            operator_id (str): Staff id of 教务员 or 教务主任.
        Returns:
            dict: data is the lesson.
        Effect: write
        """
        problem = self._denied(operator_id, ("教务员", "教务主任"))
        lesson = self.lessons.get(lesson_id)
        if problem or lesson is None:
            return _fail(problem or "课程不存在")
        problem = self._too_late(lesson, operator_id)
        if problem:
            return _fail(problem)
        lesson["status"] = "已取消"
        lesson["remark"] = reason
        return _ok(lesson)

    def add_exam_room(self, exam_id: str, room_id: str, class_id: str, candidates: int, operator_id: str) -> dict:
        """Seat students of a class in a room for an exam.

        Args:
            exam_id (str): Exam id.
            room_id (str): Room that is free in all periods of the exam.
            class_id (str): Class of the exam's grade.
            candidates (int): Students, 1 to the exam seats of the room.
            operator_id (str): Staff id of 教务员 or 教务主任.
        Returns:
            dict: data is the exam room, without invigilators.
        Effect: write
        """
        exam, room, group = self.exams.get(exam_id), self.rooms.get(room_id), self.classes.get(class_id)
        if exam is None or room is None or group is None or group["grade"] != exam["grade"]:
            return _fail("考试、教室或班级不存在，或班级不属于考试年级")
        problem = self._denied(operator_id, ("教务员", "教务主任") if exam["status"] == "筹备" else ("教务主任",))
        if problem:
            return _fail(problem)
        if room["status"] != "可用":
            return _fail("教室停用")
        for period in range(exam["first_period"], exam["last_period"] + 1):
            problem = self._room_taken(room_id, exam["date"], period)
            if problem:
                return _fail(problem)
        seated = sum(r["candidates"] for r in self.exam_rooms.values() if r["exam_id"] == exam_id and r["class_id"] == class_id)
        if candidates < 1 or candidates > min(room["exam_seats"], group["student_count"] - seated):
            return _fail(f"该考场可安排 {room['exam_seats']} 人，{group['name']}还有 {group['student_count'] - seated} 人未安排")
        exam_room_id = f"KC{self.next_exam_room_no}"
        self.next_exam_room_no += 1
        self.exam_rooms[exam_room_id] = {
            "exam_room_id": exam_room_id, "exam_id": exam_id, "room_id": room_id, "class_id": class_id,
            "candidates": candidates, "invigilators": [],
        }
        return _ok(self.exam_rooms[exam_room_id])

    def assign_invigilators(self, exam_room_id: str, first_id: str, second_id: str, operator_id: str) -> dict:
        """Set the two invigilators of an exam room; they replace the earlier ones.

        Args:
            exam_room_id (str): Exam room id.
            first_id (str): Staff id of the chief invigilator.
            second_id (str): Staff id of the second invigilator.
            operator_id (str): Staff id of 教务员 or 教务主任.
        Returns:
            dict: data is the exam room.
        Effect: write
        """
        room = self.exam_rooms.get(exam_room_id)
        if room is None or first_id not in self.staff or second_id not in self.staff or first_id == second_id:
            return _fail("考场或工号不存在，或两名监考是同一人")
        exam = self.exams[room["exam_id"]]
        problem = self._denied(operator_id, ("教务员", "教务主任") if exam["status"] == "筹备" else ("教务主任",))
        if problem:
            return _fail(problem)
        for staff_id in (first_id, second_id):
            if self.staff[staff_id]["subject"] == exam["subject"]:
                return _fail(f"{self.staff[staff_id]['name']}任教{exam['subject']}，不能监考本科目")
            for period in range(exam["first_period"], exam["last_period"] + 1):
                problem = self._engaged(staff_id, exam["date"], period, (exam_room_id,))
                if problem:
                    return _fail(problem)
        room["invigilators"] = [first_id, second_id]
        return _ok(room)

    def publish_exam(self, exam_id: str, operator_id: str) -> dict:
        """Publish an exam with its rooms to teachers and classes.

        Args:
            exam_id (str): Exam in status 筹备 with seats for all and two invigilators in each room.
            operator_id (str): Staff id of 教务员 or 教务主任.
        Returns:
            dict: data is the exam.
        Effect: external
        """
        problem = self._denied(operator_id, ("教务员", "教务主任"))
        exam = self.exams.get(exam_id)
        if problem:
            return _fail(problem)
        if exam is None or exam["status"] != "筹备":
            return _fail("考试不存在或已发布")
        if exam["date"] <= self._stamp()[:10]:
            return _fail("考试安排须至少提前一天发布")
        problem = self._unready(exam)
        if problem:
            return _fail(problem)
        exam["status"] = "已发布"
        return _ok(exam)

    def draft_notice(self, class_id: str, title: str, content: str, operator_id: str) -> dict:
        """Write a draft of a notice to the families of a class.

        Args:
            class_id (str): Class id.
            title (str): Title of the notice.
            content (str): Text of the notice.
            operator_id (str): Staff id of the 班主任 of the class, 教务员 or 教务主任.
        Returns:
            dict: data is the notice, in status 草稿.
        Effect: write
        """
        if class_id not in self.classes:
            return _fail("班级不存在")
        problem = self._denied(operator_id, ("班主任", "教务员", "教务主任"), class_id)
        if problem:
            return _fail(problem)
        if not title.strip() or not content.strip() or len(content) > _TEXT_LIMIT:
            return _fail("标题和内容不能为空，内容不超过 2000 字")
        notice_id = f"TZ{self.next_notice_no}"
        self.next_notice_no += 1
        self.notices[notice_id] = {
            "notice_id": notice_id, "class_id": class_id, "title": title, "content": content,
            "author_id": operator_id, "status": "草稿", "published_at": None,
        }
        return _ok(self.notices[notice_id])

    def publish_notice(self, notice_id: str, operator_id: str) -> dict:
        """Send a drafted notice to all families of its class.

        Args:
            notice_id (str): Notice in status 草稿.
            operator_id (str): Staff id of the 班主任 of the class, 教务员 or 教务主任.
        Returns:
            dict: data is the notice.
        Effect: external
        """
        notice = self.notices.get(notice_id)
        if notice is None or notice["status"] != "草稿":
            return _fail("通知不存在或不是草稿")
        problem = self._denied(operator_id, ("班主任", "教务员", "教务主任"), notice["class_id"])
        if problem:
            return _fail(problem)
        if not "07:00" <= self._stamp()[11:] < "21:00":
            return _fail("通知只能在 07:00 至 21:00 发布")
        notice["status"] = "已发布"
        notice["published_at"] = self._stamp()
        return _ok(notice)

    def withdraw_notice(self, notice_id: str, operator_id: str) -> dict:
        """Withdraw a notice within two hours after its publication.

        Args:
            notice_id (str): Published notice.
            operator_id (str): Staff id of the author or of the 教务主任.
        Returns:
            dict: data is the notice.
        Effect: external
        """
        notice, person = self.notices.get(notice_id), self.staff.get(operator_id)
        if notice is None or notice["status"] != "已发布":
            return _fail("通知不存在或未发布")
        if person is None or (operator_id != notice["author_id"] and person["role"] != "教务主任"):
            return _fail("只有发布人或教务主任可以撤回通知")
        earliest = (self._now() - timedelta(hours=_WITHDRAW_HOURS)).strftime("%Y-%m-%d %H:%M")
        if notice["published_at"] < earliest:
            return _fail("发布超过两小时，不能撤回")
        notice["status"] = "已撤回"
        return _ok(notice)

    def update_student(self, student_id: str, operator_id: str, guardian_phone: Optional[str] = None, notes: Optional[str] = None) -> dict:
        """Change the guardian's phone or the notes of a student.

        Args:
            student_id (str): Student id.
            operator_id (str): Staff id of the 班主任 of the class, 教务员 or 教务主任.
            guardian_phone (str): New mobile number, 11 digits; unchanged when omitted.
            notes (str): New text that replaces the notes; unchanged when omitted.
        Returns:
            dict: data is the student.
        Effect: write
        """
        student = self.students.get(student_id)
        if student is None:
            return _fail("学生不存在")
        problem = self._denied(operator_id, ("班主任", "教务员", "教务主任"), student["class_id"])
        if problem:
            return _fail(problem)
        if guardian_phone is not None:
            if not re.fullmatch(r"1[0-9]{10}", guardian_phone):
                return _fail("手机号须为 11 位数字")
            student["guardian_phone"] = guardian_phone
        if notes is not None:
            student["notes"] = notes
        return _ok(student)

    def add_work_log(self, content: str, operator_id: str) -> dict:
        """Write an entry of the office's work log.

        Args:
            content (str): Text of the entry.
            operator_id (str): Staff id of the author.
        Returns:
            dict: data is the entry.
        Effect: write
        """
        if operator_id not in self.staff:
            return _fail("工号不存在")
        if not content.strip() or len(content) > _TEXT_LIMIT:
            return _fail("日志内容不能为空，且不超过 2000 字")
        log_id = f"RZ{self.next_log_no}"
        self.next_log_no += 1
        self.work_logs[log_id] = {"log_id": log_id, "author_id": operator_id, "written_at": self._stamp(), "content": content}
        return _ok(self.work_logs[log_id])

    def send_message(self, recipient: str, content: str, operator_id: str) -> dict:
        """Send a text message to a member of staff or to a mobile number.

        Args:
            recipient (str): Staff id or 11-digit mobile number.
            content (str): Text of the message.
            operator_id (str): Staff id of the sender.
        Returns:
            dict: data is the message.
        Effect: external
        """
        if operator_id not in self.staff:
            return _fail("工号不存在")
        if recipient not in self.staff and not re.fullmatch(r"1[0-9]{10}", recipient):
            return _fail("收件人须为工号或 11 位手机号")
        if not content.strip() or len(content) > _TEXT_LIMIT:
            return _fail("短信内容不能为空，且不超过 2000 字")
        message_id = f"DX{self.next_message_no}"
        self.next_message_no += 1
        self.messages[message_id] = {
            "message_id": message_id, "recipient": recipient, "content": content,
            "operator_id": operator_id, "sent_at": self._stamp(),
        }
        return _ok(self.messages[message_id])
