"""Hospital beds and inpatient management

The bed office of a large Chinese public hospital (三甲医院). Wards own beds; patients wait
on a request list, are admitted to a bed, may be transferred between beds, and are discharged
once the attending doctor has signed and the account is settled. Names, notes and messages
are Chinese; all times are hospital time (UTC+8), written as YYYY-MM-DD HH:MM.

Rules:
- A bed can be given to a patient only when it is 空闲, or 预留 for that patient, or its reservation has expired.
- The bed must belong to the ward, and its gender must be 不限 or equal the patient's.
- A patient who needs isolation goes to an isolation bed; nobody else may use an isolation bed.
- A patient has at most one open admission. Admission needs the ward's minimum deposit, except for 急诊 requests.
- A bed that is left becomes 清洁中 and must be set to 空闲 before its next use.
- Only the attending doctor signs a discharge, and not while isolation is required.
- An account is settled between 08:00 and 17:00, after the signature, with a balance of zero or more.
- A patient is discharged only after the signature and the settlement.
- A waiver (减免) is at most 2000 yuan for one entry and never more than the charges left.
- Nurses and head nurses act in their own ward; the inpatient office (住院处) acts in all wards; only 住院处 and 收费员 handle accounts.
"""

import copy
import re
from datetime import datetime, timedelta, timezone
from typing import Dict, List, Literal, Optional, TypedDict

_HOSPITAL_ZONE = timezone(timedelta(hours=8))
_WAIVER_LIMIT = 2000.0
_TEXT_LIMIT = 2000


class WardInfo(TypedDict):
    ward_id: str
    name: str
    department: str
    phone: str
    min_deposit: float  # yuan


class BedInfo(TypedDict):
    bed_id: str
    ward_id: str
    gender: str  # 男, 女, 不限
    isolation: bool
    status: str  # 空闲, 占用, 预留, 清洁中, 停用
    patient_id: Optional[str]  # who lies in it
    reserved_for: Optional[str]  # patient_id
    reserved_until: Optional[str]
    remark: str  # free text


class PatientInfo(TypedDict):
    patient_id: str
    name: str
    gender: str  # 男, 女
    age: int
    phone: str
    notes: str  # free text


class StaffInfo(TypedDict):
    staff_id: str
    name: str
    role: str  # 医生, 护士, 护士长, 住院处, 收费员
    ward_id: Optional[str]


class BedRequestInfo(TypedDict):
    request_id: str
    patient_id: str
    ward_id: str
    urgency: str  # 急诊, 加急, 普通
    isolation_required: bool
    deposit: float
    requested_at: str
    status: str  # 等待, 已安排, 已撤销
    note: str  # free text


class AdmissionInfo(TypedDict):
    admission_id: str
    patient_id: str
    ward_id: str
    bed_id: str
    attending_id: str
    diagnosis: str
    nursing_level: str  # 特级, 一级, 二级, 三级
    isolation_required: bool
    status: str  # 在院, 已出院
    admitted_at: str
    signed_by: Optional[str]
    discharge_summary: str  # free text
    discharged_at: Optional[str]
    transfers: List[dict]  # {time, from, to, reason}


class AccountInfo(TypedDict):
    admission_id: str
    deposit: float
    charges: float
    waived: float
    status: str  # 未结算, 已结算
    entries: List[dict]  # {time, kind, amount, operator_id, remark}; remark is free text


class HandoverNoteInfo(TypedDict):
    note_id: str
    ward_id: str
    patient_id: Optional[str]
    author_id: str
    created_at: str
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


class HospitalBeds:
    def __init__(self, config: dict):
        """Load the state; every top-level key of config becomes an attribute."""
        self.wards: Dict[str, WardInfo] = config.get("wards", {})
        self.beds: Dict[str, BedInfo] = config.get("beds", {})
        self.patients: Dict[str, PatientInfo] = config.get("patients", {})
        self.staff: Dict[str, StaffInfo] = config.get("staff", {})
        self.bed_requests: Dict[str, BedRequestInfo] = config.get("bed_requests", {})
        self.admissions: Dict[str, AdmissionInfo] = config.get("admissions", {})
        self.accounts: Dict[str, AccountInfo] = config.get("accounts", {})
        self.handover_notes: Dict[str, HandoverNoteInfo] = config.get("handover_notes", {})
        self.messages: Dict[str, MessageInfo] = config.get("messages", {})
        self.next_admission_no: int = config.get("next_admission_no", 1)
        self.next_note_no: int = config.get("next_note_no", 1)
        self.next_message_no: int = config.get("next_message_no", 1)

    def _now(self) -> str:
        return datetime.now(_HOSPITAL_ZONE).strftime("%Y-%m-%d %H:%M")

    def _denied(self, staff_id: str, roles: tuple, ward_id: Optional[str] = None) -> Optional[str]:
        """Why the person may not act with one of the roles in the ward, or None."""
        person = self.staff.get(staff_id)
        if person is None:
            return f"工号 {staff_id} 不存在"
        if person["role"] not in roles:
            return f"{person['role']}无权执行此操作，需要：{'、'.join(roles)}"
        if ward_id is not None and person["role"] in ("护士", "护士长") and person["ward_id"] != ward_id:
            return f"{person['name']}只能操作本病区"
        return None

    def _open_admission(self, patient_id: str) -> Optional[AdmissionInfo]:
        for admission in self.admissions.values():
            if admission["patient_id"] == patient_id and admission["status"] == "在院":
                return admission
        return None

    def _open_request(self, patient_id: str) -> Optional[BedRequestInfo]:
        for request in self.bed_requests.values():
            if request["patient_id"] == patient_id and request["status"] == "等待":
                return request
        return None

    def _balance(self, account: AccountInfo) -> float:
        return round(account["deposit"] + account["waived"] - account["charges"], 2)

    def _unfit(self, bed: Optional[BedInfo], patient_id: str, isolation: bool) -> Optional[str]:
        """Why the bed cannot take the patient now, or None."""
        if bed is None:
            return "床位不存在"
        if bed["status"] == "预留":
            held = bed["reserved_until"] is not None and bed["reserved_until"] >= self._now()
            if held and bed["reserved_for"] != patient_id:
                return f"床位 {bed['bed_id']} 已预留至 {bed['reserved_until']}"
        elif bed["status"] != "空闲":
            return f"床位 {bed['bed_id']} 当前状态为{bed['status']}"
        if bed["gender"] not in ("不限", self.patients[patient_id]["gender"]):
            return f"床位 {bed['bed_id']} 只收{bed['gender']}性患者"
        if isolation and not bed["isolation"]:
            return "该患者需要隔离床位"
        if bed["isolation"] and not isolation:
            return "隔离床位只收需要隔离的患者"
        return None

    def _set_bed(self, bed: BedInfo, status: str, patient_id: Optional[str] = None):
        bed["status"] = status
        bed["patient_id"] = patient_id
        bed["reserved_for"] = None
        bed["reserved_until"] = None

    def list_wards(self) -> dict:
        """List all wards with their ids, phones and minimum deposits.

        Returns:
            dict: data is a list of wards.
        Effect: read
        """
        return _ok(list(self.wards.values()))

    def list_beds(self, ward_id: str, status: Optional[Literal["空闲", "占用", "预留", "清洁中", "停用"]] = None) -> dict:
        """List the beds of a ward, with remarks and reservations.

        Args:
            ward_id (str): Ward id.
            status (str): Only beds in this status; all when omitted.
        Returns:
            dict: data is a list of beds.
        Effect: read
        """
        if ward_id not in self.wards:
            return _fail("病区不存在")
        beds = [b for b in self.beds.values() if b["ward_id"] == ward_id]
        return _ok([b for b in beds if status is None or b["status"] == status])

    def find_patient(self, name: str) -> dict:
        """Find patients by full name or a part of it.

        Args:
            name (str): Name of the patient, in Chinese.
        Returns:
            dict: data is a list of patients with phone and notes.
        Effect: read
        """
        if not name.strip():
            return _fail("请提供患者姓名")
        found = [p for p in self.patients.values() if name.strip() in p["name"]]
        return _ok(found) if found else _fail(f"未找到患者：{name}")

    def find_staff(self, role: Optional[Literal["医生", "护士", "护士长", "住院处", "收费员"]] = None, ward_id: Optional[str] = None) -> dict:
        """List staff, filtered by role and ward.

        Args:
            role (str): Role of the person; all roles when omitted.
            ward_id (str): Ward the person works in; all when omitted.
        Returns:
            dict: data is a list of staff.
        Effect: read
        """
        people = [s for s in self.staff.values() if role is None or s["role"] == role]
        return _ok([s for s in people if ward_id is None or s["ward_id"] == ward_id])

    def list_admissions(self, ward_id: str, status: Literal["在院", "已出院"] = "在院") -> dict:
        """List the admissions of a ward with patient names.

        Args:
            ward_id (str): Ward id.
            status (str): 在院 or 已出院.
        Returns:
            dict: data is a list of short admission records; signed_by is null without a discharge signature.
        Effect: read
        """
        if ward_id not in self.wards:
            return _fail("病区不存在")
        keys = ("admission_id", "patient_id", "bed_id", "attending_id", "diagnosis", "isolation_required", "signed_by")
        rows = []
        for admission in self.admissions.values():
            if admission["ward_id"] == ward_id and admission["status"] == status:
                row = {key: admission[key] for key in keys}
                row["name"] = self.patients[admission["patient_id"]]["name"]
                rows.append(row)
        return _ok(rows)

    def get_admission(self, admission_id: str) -> dict:
        """Read one admission with its transfers and discharge summary.

        Args:
            admission_id (str): Admission id.
        Returns:
            dict: data is the admission.
        Effect: read
        """
        admission = self.admissions.get(admission_id)
        return _ok(admission) if admission else _fail("住院记录不存在")

    def list_bed_requests(self, ward_id: Optional[str] = None, status: Optional[Literal["等待", "已安排", "已撤销"]] = None) -> dict:
        """List requests for a bed with patient names, in the order they were made.

        Args:
            ward_id (str): Only requests for this ward; all when omitted.
            status (str): Only requests in this status; all when omitted.
        Returns:
            dict: data is a list of requests.
        Effect: read
        """
        rows = []
        for request in sorted(self.bed_requests.values(), key=lambda r: (r["requested_at"], r["request_id"])):
            if ward_id in (None, request["ward_id"]) and status in (None, request["status"]):
                rows.append(dict(request, name=self.patients[request["patient_id"]]["name"]))
        return _ok(rows)

    def get_account(self, admission_id: str) -> dict:
        """Read the account of an admission with its entries and balance.

        Args:
            admission_id (str): Admission id.
        Returns:
            dict: data is the account; balance = deposit + waived - charges.
        Effect: read
        """
        account = self.accounts.get(admission_id)
        if account is None:
            return _fail("住院账户不存在")
        return _ok(dict(account, balance=self._balance(account)))

    def list_handover_notes(self, ward_id: str, patient_id: Optional[str] = None) -> dict:
        """List the handover notes of a ward, oldest first.

        Args:
            ward_id (str): Ward id.
            patient_id (str): Only notes about this patient; all when omitted.
        Returns:
            dict: data is a list of notes.
        Effect: read
        """
        notes = [n for n in self.handover_notes.values() if n["ward_id"] == ward_id]
        notes.sort(key=lambda n: (n["created_at"], n["note_id"]))
        return _ok([n for n in notes if patient_id is None or n["patient_id"] == patient_id])

    def reserve_bed(self, bed_id: str, patient_id: str, operator_id: str, hours: int = 4) -> dict:
        """Hold a free bed for a waiting or admitted patient.

        Args:
            bed_id (str): Bed id.
            patient_id (str): Patient id.
            operator_id (str): Staff id of 护士长 or 住院处.
            hours (int): How long the bed is held, 1 to 24.
        Returns:
            dict: data is the bed.
        Effect: write
        """
        if patient_id not in self.patients:
            return _fail("患者不存在")
        need = self._open_admission(patient_id) or self._open_request(patient_id)
        if need is None:
            return _fail("该患者既未在院也未候床")
        bed = self.beds.get(bed_id)
        problem = self._unfit(bed, patient_id, need["isolation_required"])
        problem = problem or self._denied(operator_id, ("护士长", "住院处"), bed["ward_id"])
        if problem:
            return _fail(problem)
        if not 1 <= hours <= 24:
            return _fail("预留时长须在 1 至 24 小时之间")
        until = datetime.now(_HOSPITAL_ZONE) + timedelta(hours=hours)
        bed["status"] = "预留"
        bed["reserved_for"] = patient_id
        bed["reserved_until"] = until.strftime("%Y-%m-%d %H:%M")
        return _ok(bed)

    def admit_patient(self, request_id: str, bed_id: str, attending_id: str, operator_id: str, diagnosis: str = "") -> dict:
        """Admit a waiting patient to a bed of the requested ward; opens an admission and an account.

        Args:
            request_id (str): Waiting bed request.
            bed_id (str): Bed of the requested ward.
            attending_id (str): Staff id of a doctor of the ward.
            operator_id (str): Staff id of 护士长 or 住院处.
            diagnosis (str): Admission diagnosis.
        Returns:
            dict: data is the new admission.
        Effect: write
        """
        request = self.bed_requests.get(request_id)
        if request is None or request["status"] != "等待":
            return _fail("候床申请不存在或不在等待状态")
        patient_id, ward_id = request["patient_id"], request["ward_id"]
        bed = self.beds.get(bed_id)
        problem = self._denied(operator_id, ("护士长", "住院处"), ward_id)
        problem = problem or self._unfit(bed, patient_id, request["isolation_required"])
        problem = problem or self._denied(attending_id, ("医生",))
        if problem:
            return _fail(problem)
        if bed["ward_id"] != ward_id or self.staff[attending_id]["ward_id"] != ward_id:
            return _fail("床位和主管医生必须属于申请病区")
        if self._open_admission(patient_id):
            return _fail("该患者已在院")
        if request["urgency"] != "急诊" and request["deposit"] < self.wards[ward_id]["min_deposit"]:
            return _fail(f"预交金不足，至少 {self.wards[ward_id]['min_deposit']} 元")
        admission_id = f"A{self.next_admission_no}"
        self.next_admission_no += 1
        self.admissions[admission_id] = {
            "admission_id": admission_id, "patient_id": patient_id, "ward_id": ward_id, "bed_id": bed_id,
            "attending_id": attending_id, "diagnosis": diagnosis, "nursing_level": "二级",
            "isolation_required": request["isolation_required"], "status": "在院", "admitted_at": self._now(),
            "signed_by": None, "discharge_summary": "", "discharged_at": None, "transfers": [],
        }
        self.accounts[admission_id] = {
            "admission_id": admission_id, "deposit": request["deposit"], "charges": 0.0, "waived": 0.0,
            "status": "未结算", "entries": [],
        }
        request["status"] = "已安排"
        self._set_bed(bed, "占用", patient_id)
        return _ok(self.admissions[admission_id])

    def transfer_patient(self, patient_id: str, bed_id: str, reason: str, operator_id: str) -> dict:
        """Move an admitted patient to another bed of the same ward; the old bed becomes 清洁中.

        Args:
            patient_id (str): Patient in hospital.
            bed_id (str): New bed.
            reason (str): Why the patient moves.
            operator_id (str): Staff id of 护士长 or 住院处.
        Returns:
            dict: data is the admission.
        Effect: write
        """
        admission = self._open_admission(patient_id)
        if admission is None:
            return _fail("该患者未在院")
        bed = self.beds.get(bed_id)
        problem = self._denied(operator_id, ("护士长", "住院处"), admission["ward_id"])
        problem = problem or self._unfit(bed, patient_id, admission["isolation_required"])
        if problem:
            return _fail(problem)
        if bed["ward_id"] != admission["ward_id"]:
            return _fail("不能跨病区转床")
        admission["transfers"].append({"time": self._now(), "from": admission["bed_id"], "to": bed_id, "reason": reason})
        self._set_bed(self.beds[admission["bed_id"]], "清洁中")
        self._set_bed(bed, "占用", patient_id)
        admission["bed_id"] = bed_id
        return _ok(admission)

    def update_admission(self, admission_id: str, operator_id: str, isolation_required: Optional[bool] = None, nursing_level: Optional[Literal["特级", "一级", "二级", "三级"]] = None) -> dict:
        """Change isolation or the nursing level of an open admission.

        Args:
            admission_id (str): Admission id.
            operator_id (str): Staff id of 医生 or 护士长.
            isolation_required (bool): Whether the patient must be isolated; unchanged when omitted.
            nursing_level (str): New nursing level; unchanged when omitted.
        Returns:
            dict: data is the admission.
        Effect: write
        """
        admission = self.admissions.get(admission_id)
        if admission is None or admission["status"] != "在院":
            return _fail("住院记录不存在或已出院")
        problem = self._denied(operator_id, ("医生", "护士长"), admission["ward_id"])
        if problem:
            return _fail(problem)
        if isolation_required is not None:
            admission["isolation_required"] = isolation_required
        if nursing_level is not None:
            admission["nursing_level"] = nursing_level
        return _ok(admission)

    def post_account_entry(self, admission_id: str, kind: Literal["预交金", "退费", "减免"], amount: float, operator_id: str, remark: str = "") -> dict:
        """Post a deposit, a refund of deposit or a waiver to an unsettled account.

        Args:
            admission_id (str): Admission id.
            kind (str): 预交金, 退费 or 减免.
            amount (float): Yuan, more than zero.
            operator_id (str): Staff id of 收费员 or 住院处.
            remark (str): Free text for the entry.
        Returns:
            dict: data is the account with its balance.
        Effect: write
        """
        account = self.accounts.get(admission_id)
        if account is None or account["status"] == "已结算":
            return _fail("住院账户不存在或已结算")
        problem = self._denied(operator_id, ("收费员", "住院处"))
        if problem:
            return _fail(problem)
        amount = round(float(amount), 2)
        if amount <= 0:
            return _fail("金额必须大于 0")
        if kind == "预交金":
            account["deposit"] = round(account["deposit"] + amount, 2)
        elif kind == "退费":
            if amount > self._balance(account):
                return _fail("退费金额超过账户余额")
            account["deposit"] = round(account["deposit"] - amount, 2)
        elif kind == "减免":
            if amount > _WAIVER_LIMIT or amount > account["charges"] - account["waived"]:
                return _fail("减免金额超过上限")
            account["waived"] = round(account["waived"] + amount, 2)
        else:
            return _fail("未知的账目类型")
        account["entries"].append({"time": self._now(), "kind": kind, "amount": amount, "operator_id": operator_id, "remark": remark})
        return self.get_account(admission_id)

    def settle_account(self, admission_id: str, operator_id: str) -> dict:
        """Settle the account of a signed-off admission; a remaining balance is paid back.

        Args:
            admission_id (str): Admission id.
            operator_id (str): Staff id of 收费员 or 住院处.
        Returns:
            dict: data has admission_id, status and refunded (yuan).
        Effect: write
        """
        account = self.accounts.get(admission_id)
        if account is None or account["status"] == "已结算":
            return _fail("住院账户不存在或已结算")
        problem = self._denied(operator_id, ("收费员", "住院处"))
        if problem:
            return _fail(problem)
        if not "08:00" <= self._now()[11:] < "17:00":
            return _fail("结算时间为 08:00 至 17:00")
        if self.admissions[admission_id]["signed_by"] is None:
            return _fail("主管医生尚未签署出院医嘱")
        balance = self._balance(account)
        if balance < 0:
            return _fail(f"账户欠费 {-balance} 元，不能结算")
        account["status"] = "已结算"
        if balance > 0:
            account["entries"].append({"time": self._now(), "kind": "退费", "amount": balance, "operator_id": operator_id, "remark": "出院结算退款"})
            account["deposit"] = round(account["deposit"] - balance, 2)
        return _ok({"admission_id": admission_id, "status": "已结算", "refunded": balance})

    def sign_discharge(self, admission_id: str, doctor_id: str, summary: str) -> dict:
        """Sign a discharge as the attending doctor.

        Args:
            admission_id (str): Admission id.
            doctor_id (str): Staff id of the attending doctor.
            summary (str): Discharge summary.
        Returns:
            dict: data is the admission.
        Effect: write
        """
        admission = self.admissions.get(admission_id)
        if admission is None or admission["status"] != "在院":
            return _fail("住院记录不存在或已出院")
        if doctor_id != admission["attending_id"]:
            return _fail("只有主管医生可以签署出院医嘱")
        if admission["isolation_required"]:
            return _fail("隔离未解除，不能签署出院医嘱")
        admission["signed_by"] = doctor_id
        admission["discharge_summary"] = summary
        return _ok(admission)

    def discharge_patient(self, patient_id: str, operator_id: str) -> dict:
        """Discharge a patient whose discharge is signed and whose account is settled.

        Args:
            patient_id (str): Patient in hospital.
            operator_id (str): Staff id of 护士, 护士长 or 住院处.
        Returns:
            dict: data is the closed admission.
        Effect: write
        """
        admission = self._open_admission(patient_id)
        if admission is None:
            return _fail("该患者未在院")
        problem = self._denied(operator_id, ("护士", "护士长", "住院处"), admission["ward_id"])
        if problem:
            return _fail(problem)
        if admission["signed_by"] is None:
            return _fail("主管医生尚未签署出院医嘱")
        if self.accounts[admission["admission_id"]]["status"] != "已结算":
            return _fail("住院账户尚未结算")
        admission["status"] = "已出院"
        admission["discharged_at"] = self._now()
        self._set_bed(self.beds[admission["bed_id"]], "清洁中")
        return _ok(admission)

    def set_bed_status(self, bed_id: str, status: Literal["空闲", "清洁中", "停用"], operator_id: str, remark: Optional[str] = None) -> dict:
        """Set the status of a bed nobody lies in.

        Args:
            bed_id (str): Bed id.
            status (str): 空闲, 清洁中 or 停用.
            operator_id (str): Staff id of 护士, 护士长 or 住院处.
            remark (str): New remark of the bed; unchanged when omitted.
        Returns:
            dict: data is the bed.
        Effect: write
        """
        bed = self.beds.get(bed_id)
        if bed is None:
            return _fail("床位不存在")
        problem = self._denied(operator_id, ("护士", "护士长", "住院处"), bed["ward_id"])
        if problem:
            return _fail(problem)
        if bed["status"] == "占用":
            return _fail("床位有患者，不能更改状态")
        if status not in ("空闲", "清洁中", "停用"):
            return _fail("未知的床位状态")
        self._set_bed(bed, status)
        if remark is not None:
            bed["remark"] = remark
        return _ok(bed)

    def add_handover_note(self, ward_id: str, author_id: str, content: str, patient_id: Optional[str] = None) -> dict:
        """Write a handover note for a ward.

        Args:
            ward_id (str): Ward id.
            author_id (str): Staff id of the author.
            content (str): Text of the note.
            patient_id (str): Patient the note is about, if any.
        Returns:
            dict: data is the note.
        Effect: write
        """
        if ward_id not in self.wards or author_id not in self.staff:
            return _fail("病区或工号不存在")
        if patient_id is not None and patient_id not in self.patients:
            return _fail("患者不存在")
        if not content.strip() or len(content) > _TEXT_LIMIT:
            return _fail("交接班内容不能为空，且不超过 2000 字")
        note_id = f"HN{self.next_note_no}"
        self.next_note_no += 1
        self.handover_notes[note_id] = {
            "note_id": note_id, "ward_id": ward_id, "patient_id": patient_id, "author_id": author_id,
            "created_at": self._now(), "content": content,
        }
        return _ok(self.handover_notes[note_id])

    def update_patient(self, patient_id: str, operator_id: str, phone: Optional[str] = None, notes: Optional[str] = None) -> dict:
        """Change the phone or the notes of a patient.

        Args:
            patient_id (str): Patient id.
            operator_id (str): Staff id, any role.
            phone (str): New mobile number, 11 digits; unchanged when omitted.
            notes (str): New text that replaces the notes; unchanged when omitted.
        Returns:
            dict: data is the patient.
        Effect: write
        """
        patient = self.patients.get(patient_id)
        if patient is None or operator_id not in self.staff:
            return _fail("患者或工号不存在")
        if phone is not None:
            if not re.fullmatch(r"1[0-9]{10}", phone):
                return _fail("手机号须为 11 位数字")
            patient["phone"] = phone
        if notes is not None:
            patient["notes"] = notes
        return _ok(patient)

    def update_bed_request(self, request_id: str, operator_id: str, urgency: Optional[Literal["急诊", "加急", "普通"]] = None, status: Optional[Literal["等待", "已撤销"]] = None, note: Optional[str] = None) -> dict:
        """Change the urgency, the status or the note of a request that is not yet served.

        Args:
            request_id (str): Bed request.
            operator_id (str): Staff id of 医生, 护士长 or 住院处.
            urgency (str): New urgency; unchanged when omitted.
            status (str): 等待 or 已撤销; unchanged when omitted.
            note (str): New text that replaces the note; unchanged when omitted.
        Returns:
            dict: data is the request.
        Effect: write
        """
        request = self.bed_requests.get(request_id)
        if request is None or request["status"] == "已安排":
            return _fail("候床申请不存在或已安排床位")
        problem = self._denied(operator_id, ("医生", "护士长", "住院处"), request["ward_id"])
        if problem:
            return _fail(problem)
        for key, value in (("urgency", urgency), ("status", status), ("note", note)):
            if value is not None:
                request[key] = value
        return _ok(request)

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
        message_id = f"M{self.next_message_no}"
        self.next_message_no += 1
        self.messages[message_id] = {
            "message_id": message_id, "recipient": recipient, "content": content,
            "operator_id": operator_id, "sent_at": self._now(),
        }
        return _ok(self.messages[message_id])
